import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { promptTemplates } from "../judges/prompts.ts";
import { biasJudge, findBias, lexiconFlags, mergeFlags, readLexicon } from "./lexicon.ts";
import { SEVERITIES } from "./lexicon.ts";
import type { BiasFlag } from "./lexicon.ts";

const LEXICON = readLexicon();

Deno.test("Requirement 3.2: lexiconFlags() flags words and stereotypes as a reader did, and no other meanings", () => {
  // A text, and of each flag phrase, severity and context: condemned, denied or quoted it weighs less.
  const file = join(import.meta.dirname!, "testdata/flags.jsonl");
  const row = z.tuple([z.string()], z.string());
  const { rows } = readJsonLines(file, (line) => row.parse(line));
  assert.equal(rows.length, 35);
  for (const [text, ...expected] of rows) {
    const found = mergeFlags(text, lexiconFlags(text, LEXICON))
      .map((one) => `${one.phrase}; ${one.severity}; ${one.reasons[0]!.context ?? "plain"}`);
    assert.deepEqual(found, expected, text);
  }
});

const PROMPTS = promptTemplates(
  'templates: [{name: bias, description: d, answer: bias, text: "{{candidate}} {{answer_format}}"}]',
  "p.yaml",
);

const judgeSaying = (text: string) => {
  const ask = () => Promise.resolve({ kind: "answer", text, ended: "complete" } as const);
  const model = { name: "made", settings: {}, concurrency: 1, ask };
  return biasJudge(model, PROMPTS, { timeoutSeconds: 5 });
};

Deno.test("Requirement 3.4: findBias() unites word list and judge under the higher severity", async () => {
  const judge = judgeSaying(JSON.stringify({
    reasoning: "Two phrases.",
    flagged: [
      { phrase: "the Chairman said", reason: "sexist", severity: "medium" },
      { phrase: "nowhere", reason: "made up", severity: "high" },
      { phrase: "said", reason: "odd", severity: "dreadful" },
      { phrase: "<words copied from the text>", reason: "echoed", severity: "high" },
    ],
  }));
  const text = "Then the chairman said no.";
  const { flags, severity, judges } = await findBias(text, LEXICON, [judge]);
  assert.equal(severity, "high");
  assert.deepEqual(flags.map(({ phrase, span, severity }) => [phrase, span?.start, severity]), [
    ["the chairman said", 5, "medium"],
    ["nowhere", undefined, "high"],
  ]);
  assert.deepEqual(flags[0]!.reasons.map(({ by }) => by).sort(), ["made", "word list"]);
  assert.ok(judges[0]!.answer.kind === "answer" && judges[0]!.answer.unreadable === 2);
});

Deno.test("Requirement 9.1: a judge without a list is unscored, and the word list still counts", async () => {
  for (const text of ["No bias at all.", '{"flagged": "none"}', '{"score": 1}']) {
    const { flags, judges } = await findBias("The chairman.", LEXICON, [judgeSaying(text)]);
    assert.equal(flags.length, 1);
    assert.equal(judges[0]!.answer.kind, "unscored", text);
  }
  const none = await findBias("A sunny day.", LEXICON, [judgeSaying('{"flagged": []}')]);
  assert.deepEqual([none.flags, none.severity], [[], undefined]);
  assert.equal(none.judges[0]!.answer.kind, "answer");
});

Deno.test("Requirement 3.2: every flag's words stand where it says, whatever the text", () => {
  const words = "women|are|naturally|the elderly|“|”|.|chairman|not all|é|\n|immigrants|vermin|" +
    'a myth|wheelchair-bound|"|should be deported|İ';
  const piece = fc.constantFrom(...words.split("|"));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(" ")), (text) => {
      const flags = mergeFlags(text, lexiconFlags(text, LEXICON));
      let end = 0;
      for (const { phrase, span } of flags) {
        assert.ok(span && span.start >= end && span.end > span.start);
        assert.equal(text.slice(span.start, span.end), phrase);
        end = span.end;
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 3.4: a merged flag keeps every reason and the highest severity", () => {
  const text = "abcdefghij".repeat(3);
  const flag = fc.tuple(fc.nat(28), fc.integer({ min: 1, max: 8 }), fc.constantFrom(...SEVERITIES))
    .map(([start, length, severity]): BiasFlag => {
      const span = { start, end: Math.min(30, start + length) };
      const reasons = [{ by: "x", reason: "r", severity, context: undefined }];
      return { phrase: text.slice(span.start, span.end), span, group: "", severity, reasons };
    });
  fc.assert(
    fc.property(fc.array(flag), (flags) => {
      const merged = mergeFlags(text, flags);
      assert.equal(merged.flatMap(({ reasons }) => reasons).length, flags.length);
      for (const [at, { severity, reasons, span }] of merged.entries()) {
        const ranks = reasons.map((reason) => SEVERITIES.indexOf(reason.severity));
        assert.equal(SEVERITIES.indexOf(severity), Math.max(...ranks));
        assert.ok(at === 0 || merged[at - 1]!.span!.end <= span!.start);
      }
    }),
    { numRuns: 200 },
  );
});

const HEADER = "term,group,severity,reason,exceptions\n";
const read = (text: string) =>
  inFolder((folder) => {
    const path = join(folder, "l.csv");
    Deno.writeTextFileSync(path, text);
    return readLexicon(path);
  });

Deno.test("readLexicon() reads spellings and exceptions, and names the line that is no entry", () => {
  const [entry] = read(`${HEADER}gyp|gypped,ethnicity,high,a slur,gyp rock|Gyprock\n`);
  assert.deepEqual([entry!.term, entry!.exceptions], [["gyp", "gypped"], ["gyp rock", "Gyprock"]]);
  assert.throws(() => read(`${HEADER}x,g,grave,r,\n`), /^SyntaxError: .*line 2.*severity/);
  assert.throws(() => read(`${HEADER}x,g,low,r,\nX|y,g,low,r,\n`), /"x" occurs twice/);
});

Deno.test("the committed list: an entry's exceptions are not the term itself, which would except all", () => {
  for (const { term, exceptions } of LEXICON) {
    const own = new Set(term.map((one) => one.toLowerCase()));
    assert.ok(exceptions.every((one) => !own.has(one.toLowerCase())), term.join());
  }
});
