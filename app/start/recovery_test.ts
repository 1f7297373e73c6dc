import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRunConfig } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { newWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { aheadOf } from "./recovery.ts";

const CONFIG = parseRunConfig("num_translations: 2", "the fixture");
const [EARLIER, LATER] = ["2026-11-22T09:00:00.000Z", "2026-11-22T10:00:00.000Z"];

/** Three sentences, all opened, of which the first `confirmed` were confirmed. */
function workbook(confirmed: number): RatingWorkbook {
  const inputs = [1, 2, 3].map((itemId) => ({ itemId, source: "A.", translations: ["B.", "C."] }));
  const fresh = newWorkbook(inputs, { runId: crypto.randomUUID(), config: CONFIG, keySha256: "" });
  const items = fresh.items.map((item, index) => {
    const committedAt = index < confirmed ? EARLIER : undefined;
    return { ...item, evaluation: { ...item.evaluation, startedAt: EARLIER, committedAt } };
  });
  return { ...fresh, items };
}

function kept(confirmed: number, savedAt: string) {
  const work = workbook(confirmed);
  const { runId, configSha256 } = work;
  return { runId, configSha256, savedAt, fileName: "run.xlsx", workbook: work, current: 0 };
}

test("aheadOf() goes by confirmed sentences, and by time only where they are as many", () => {
  const file = { workbook: workbook(2), writtenAt: EARLIER };
  assert.equal(aheadOf(kept(1, LATER), file), false);
  assert.equal(aheadOf(kept(3, LATER), file), true);
  assert.equal(aheadOf(kept(2, LATER), file), true);
  assert.equal(aheadOf(kept(2, EARLIER), { ...file, writtenAt: LATER }), false);
});

test("aheadOf() never sends a rater back to a file that nobody began, however new", () => {
  const { items, ...rest } = workbook(0);
  const fresh = items.map((item) => ({
    ...item,
    evaluation: { ...item.evaluation, startedAt: undefined },
  }));
  const file = { workbook: { ...rest, items: fresh }, writtenAt: LATER };
  assert.equal(aheadOf(kept(0, EARLIER), file), true);
});
