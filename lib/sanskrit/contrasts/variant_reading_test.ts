import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { findContrasts } from "./find_contrasts.ts";
import { ALL_BEINGS, place } from "./testdata/nouns.ts";
import { readVariantReadings, variantReadings } from "./variant_reading.ts";

const { candidates } = findContrasts(place(ALL_BEINGS));
const [first, second] = candidates;
const token = "BG_01_01.a.2";

Deno.test("variantReadings() takes the most lenient of several readings, in any order", () => {
  const written = first!.written;
  const wrong = { token, written, rating: "wrong" } as const;
  const doubtful = { ...wrong, rating: "doubtful" } as const;
  const acceptable = { ...wrong, rating: "acceptable" } as const;
  assert.equal(variantReadings([wrong])(first!), "wrong");
  assert.equal(variantReadings([doubtful, wrong])(first!), "doubtful");
  assert.equal(variantReadings([wrong, acceptable, doubtful])(first!), "acceptable");
});

Deno.test("variantReadings() knows nothing of another form or another place", () => {
  const reading = { token, written: second!.written, rating: "wrong" } as const;
  assert.notEqual(first!.written, second!.written);
  assert.equal(variantReadings([reading])(first!), undefined);
  const elsewhere = { ...reading, token: "BG_01_02.a.2" };
  assert.equal(variantReadings([elsewhere])(second!), undefined);
});

Deno.test("readVariantReadings() reads ratings, and names a line that has none", () =>
  inFolder((at) => {
    const path = at("variant_readings.csv");
    const write = (row: string) => Deno.writeTextFileSync(path, `token,written,rating\n${row}\n`);
    write(`${token},भूतैः,wrong`);
    assert.deepEqual(readVariantReadings(path), [{ token, written: "भूतैः", rating: "wrong" }]);
    write(`${token},भूतैः,fine`);
    assert.throws(() => readVariantReadings(path), /line 2 is damaged \("fine" is no rating\)/);
    write(`${token},,wrong`);
    assert.throws(() => readVariantReadings(path), /token or form is empty/);
  }));
