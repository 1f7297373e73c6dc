import assert from "node:assert/strict";
import { builtPage, freshFile } from "./fixture.ts";
import { kill } from "./kill_tab.ts";
import { pageTests } from "./page_test_case.ts";
import { onDisk } from "./placed_page.ts";
import { button, handsOn, isAtSentence, keysFor, validRatings } from "./rating_screen.ts";
import { downloaded, upload, workbookIn } from "./start_screen.ts";

const { test } = pageTests(builtPage, onDisk);

test("opened from disk: the demo is rated, and after a crash goes on where it was", async (desk) => {
  const page = await desk.openTab();
  await button(page, "Try it with a demo file").click();
  await isAtSentence(page, 1);
  await handsOn(page).press(...keysFor(validRatings()), "1");
  await kill(page);

  const again = await desk.openTab();
  await button(again, "Continue demo.xlsx").click();
  await isAtSentence(again, 2);
  const { items } = await workbookIn(await downloaded(again, /^Save checkpoint/));
  assert.ok(items[0]!.evaluation.committedAt);
});

test("opened from disk: of two tabs with one run the second only looks", async (desk) => {
  const bytes = await freshFile(2);
  const [first, second] = [await desk.openTab(), await desk.openTab()];
  for (const page of [first, second]) {
    await upload(page, bytes);
    await isAtSentence(page, 1);
  }
  await second.getByText(/another tab/i).first().waitFor();
  assert.equal(await first.getByText(/another tab/i).count(), 0);
});
