import assert from "node:assert/strict";
import { browserPath, served } from "../page/browser.ts";
import { builtPage, freshFile } from "../page/hands.ts";
import { measurePage } from "./page.ts";

Deno.test({
  name: "measurePage() times a load, a checkpoint, a switch and every keystroke of a screen",
  ignore: browserPath() === undefined,
  async fn() {
    const workbook = await freshFile(2);
    const { address, remove } = await served(await builtPage());
    const times = await measurePage(address, workbook, { runs: 1, switches: 2, screens: 1 });
    await remove();
    assert.deepEqual([times.load.length, times.save.length, times.switch.length], [1, 1, 2]);
    assert.equal(times.key.length, 49);
    assert.ok(
      [...times.load, ...times.save, ...times.switch, ...times.key].every((taken) => taken > 0),
    );
  },
});
