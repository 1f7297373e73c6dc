import assert from "node:assert/strict";
import { chromiumPath } from "../page/chromium_path.ts";
import { builtPage, freshFile } from "../page/fixture.ts";
import { served } from "../page/placed_page.ts";
import { measurePage } from "./measure_page.ts";

const path = chromiumPath();

Deno.test({
  name: "measurePage() times a load, a checkpoint and every keystroke of a screen",
  ignore: path === undefined,
  async fn() {
    const workbook = await freshFile(2);
    const { address, remove } = await served(await builtPage());
    const page = { address, path: path!, workbook };
    const times = await measurePage(page, { runs: 1, screens: 1, pause: 30 });
    await remove();
    assert.deepEqual([times.load.length, times.save.length], [1, 1]);
    assert.equal(times.keystroke.length, 49);
    assert.ok([...times.load, ...times.save, ...times.keystroke].every((taken) => taken > 0));
  },
});
