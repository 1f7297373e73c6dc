import assert from "node:assert/strict";
import { parseLexicon } from "./lexicon.ts";

const HEADER = "term,group,severity,reason,exceptions\n";
const FILE = new URL("../../../data/factuality/bias_lexicon.csv", import.meta.url);

Deno.test("parseLexicon() reads spellings and exceptions", () => {
  const { entries } = parseLexicon(
    `${HEADER}gyp|gypped,ethnicity,high,a slur,gyp rock|Gyprock\n`,
    "l",
  );
  assert.deepEqual(entries, [{
    terms: ["gyp", "gypped"],
    group: "ethnicity",
    severity: "high",
    reason: "a slur",
    exceptions: ["gyp rock", "Gyprock"],
  }]);
});

Deno.test("parseLexicon() names the line that is no entry", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [`${HEADER}x,g,grave,r,\n`, /Cannot read l\.csv: line 2: severity: /],
    [`${HEADER}x,g,low,,\n`, /line 2: reason: is blank/],
    [`${HEADER}x,g,low\n`, /line 2: /],
    [`${HEADER}x,g,low,r,\nX|y,g,low,r,\n`, /"x" stands twice/],
    ["word\n", /its header is "word"/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(
      () => parseLexicon(text, "l.csv"),
      (error) => error instanceof SyntaxError && pattern.test(error.message),
      String(pattern),
    );
  }
});

Deno.test("parseLexicon() reads the committed list: every entry has a reason and a group", async () => {
  const { entries } = parseLexicon(await Deno.readTextFile(FILE), "bias_lexicon.csv");
  assert.ok(entries.length >= 80 && entries.length <= 150, String(entries.length));
  const groups = new Set(entries.map(({ group }) => group));
  assert.deepEqual([...groups].sort(), [
    ...["age", "disability", "ethnicity", "gender", "poverty", "religion"],
    "sexuality and gender identity",
  ]);
  for (const { terms, exceptions } of entries) {
    const harmless = exceptions.filter((exception) =>
      terms.some((term) => term.toLowerCase() === exception.toLowerCase())
    );
    assert.deepEqual(harmless, [], "an exception that is the term itself excepts all");
  }
});
