import assert from "node:assert/strict";
import { gazetteerOf } from "./gazetteer.ts";

const gazetteer = gazetteerOf([
  { name: "Guinea", type: "country", also: ["Guinean"] },
  { name: "Guinea-Bissau", type: "country", also: [] },
  { name: "Turkey", type: "country", also: ["Türkiye", "turkish"] },
]);

const found = (text: string) => gazetteer.find(text).map(({ entry }) => entry.name);

Deno.test("gazetteer: the longest name counts, whole words with their capitals only", () => {
  assert.deepEqual(found("Guinea-Bissau is not Guinea, nor Guineans."), [
    "Guinea-Bissau",
    "Guinea",
  ]);
  assert.deepEqual(found("a turkey in Türkiye"), ["Turkey"]);
});

Deno.test("gazetteer: a hit stands where it says", () => {
  const text = "near Guinea-Bissau.";
  const [hit] = gazetteer.find(text);
  assert.equal(text.slice(hit!.start, hit!.end), "Guinea-Bissau");
});

Deno.test("gazetteer: one without entries finds nothing", () => {
  assert.deepEqual(gazetteerOf([]).find("France"), []);
});
