import assert from "node:assert/strict";
import { readBlindReview } from "./blind_review.ts";
import { test } from "./testdata/folder.ts";
import { madeItems } from "./testdata/norse.ts";

const ITEMS = madeItems(2);

/** What is read where the file has these lines under its header. */
function read(at: (name: string) => string, ...lines: readonly string[]) {
  const header = "pair_id,sha256,chose_grammatical,rating,remark";
  Deno.writeTextFileSync(at("review.csv"), [header, ...lines, ""].join("\n"));
  return readBlindReview(at("review.csv"), ITEMS);
}

test("readBlindReview() finds a pair by its hash, whatever its number was; refuses what is no rating", (at) => {
  assert.deepEqual(readBlindReview(at("review.csv"), ITEMS), []);
  const [{ pairId, sha256 }] = [ITEMS[1]!.certificate];
  const rows = read(at, `old_0009,${sha256},True,0,`, `old_0001,gone,True,3,`);
  assert.deepEqual(rows, [{ pairId, sha256, choseGrammatical: true, rating: 0, remark: "" }]);
  assert.throws(() => read(at, `a,${sha256},true,0,`), /expected one of "True"/);
  assert.throws(() => read(at, `a,${sha256},True,4,`), /rating: Invalid option/);
});
