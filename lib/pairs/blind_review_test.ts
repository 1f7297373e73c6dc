import assert from "node:assert/strict";
import { readBlindReview, type ReviewRow } from "./blind_review.ts";
import { inFolder } from "./testdata/folder.ts";
import { madeItems } from "./testdata/norse.ts";

const ITEMS = madeItems(2);
const HASHES = ITEMS.map(({ certificate }) => certificate.sha256);

/** What is read where the file has these lines under its header. */
async function read(...lines: readonly string[]): Promise<readonly ReviewRow[]> {
  let rows: readonly ReviewRow[] = [];
  await inFolder((at) => {
    const path = at("blind_review.csv");
    const header = "pair_id,sha256,chose_grammatical,rating,remark";
    Deno.writeTextFileSync(path, [header, ...lines, ""].join("\n"));
    rows = readBlindReview(path, ITEMS);
  });
  return rows;
}

Deno.test("readBlindReview() finds a pair by its hash, whatever its number was", async () => {
  const rows = await read(`old_0009,${HASHES[1]},True,0,`, `old_0001,gone,True,3,`);
  assert.deepEqual(rows, [
    { pairId: ITEMS[1]?.pair.id, sha256: HASHES[1], choseGrammatical: true, rating: 0, remark: "" },
  ]);
});

Deno.test("readBlindReview() refuses what is no choice and no rating", async () => {
  await assert.rejects(read(`a,${HASHES[0]},true,0,`), /SyntaxError.*expected one of "True"/s);
  await assert.rejects(
    read(`a,${HASHES[0]},True,4,`),
    /SyntaxError.*rating: Invalid option/s,
  );
});

Deno.test("readBlindReview() reads nothing where nobody was asked", () =>
  assert.deepEqual(readBlindReview("no_such_review.csv", ITEMS), []));
