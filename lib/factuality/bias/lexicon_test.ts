import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { readLexicon } from "./lexicon.ts";

const HEADER = "term,group,severity,reason,exceptions\n";

const read = (text: string) =>
  inFolder((folder) => {
    const path = join(folder, "l.csv");
    Deno.writeTextFileSync(path, text);
    return readLexicon(path);
  });

Deno.test("readLexicon() reads spellings and exceptions", () => {
  assert.deepEqual(read(`${HEADER}gyp|gypped,ethnicity,high,a slur,gyp rock|Gyprock\n`), [{
    terms: ["gyp", "gypped"],
    group: "ethnicity",
    severity: "high",
    reason: "a slur",
    exceptions: ["gyp rock", "Gyprock"],
  }]);
});

Deno.test("readLexicon() names the line that is no entry", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [`${HEADER}x,g,grave,r,\n`, /l\.csv.*line 2.*severity/],
    [`${HEADER}x,g,low,,\n`, /line 2.*reason/],
    [`${HEADER}x,g,low\n`, /line 2/],
    [`${HEADER}x,g,low,r,\nX|y,g,low,r,\n`, /"x" stands twice/],
    ["word\n", /header/],
  ];
  for (const [text, pattern] of cases) {
    assert.throws(
      () => read(text),
      (error) => error instanceof SyntaxError && pattern.test(error.message),
      String(pattern),
    );
  }
});

Deno.test("the committed list: an entry's exceptions are not the term itself, which would except all", () => {
  for (const { terms, exceptions } of readLexicon()) {
    const same = exceptions.filter((one) =>
      terms.some((term) => term.toLowerCase() === one.toLowerCase())
    );
    assert.deepEqual(same, []);
  }
});
