import assert from "node:assert/strict";
import { featuresOf } from "./testdata/feature_tools.ts";

const ALONE: readonly (readonly [string, string, number])[] = [
  ["I like green.", "Green is common in nature.", 1],
  ["I think my aunt has green eyes.", "Green is common in nature.", 1],
  ["Yes, I think green is common.", "Green is common in nature.", 0],
  ["Yes I grew green beans.", "Green is common in nature.", 1],
  ["We grew it ourselves.", "“We grew it ourselves,” the farmers say.", 0],
  ["World War I began in 1914.", "The war began in 1914.", 0],
  ["The minister said “I agree”.", "The minister agreed.", 0],
];

for (const [claim, source, expected] of ALONE) {
  Deno.test(`speaker.alone: ${expected} for "${claim}" against "${source}"`, async () => {
    const { value, findings } = await featuresOf(claim, source);
    assert.equal(value("speaker.alone"), expected);
    assert.equal(findings.some(({ feature }) => feature === "speaker.alone"), expected === 1);
  });
}
