import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import type { SamplingModel } from "../../models/model.ts";
import type { FactbookField } from "../retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { splitCountries } from "../training/splits.ts";
import { sourcePassage } from "../types.ts";
import { askSystem, countryQuestions, RESPONDING_SYSTEMS, wholeSentences } from "./responses.ts";
import { type ResponseRow, RESPONSES } from "./tables.ts";
import { responseRow } from "./testdata/made.ts";

const CODES = Array.from({ length: 40 }, (_, i) => `c${i}`);
const NEEDED = ["Location", "Government type", "Economic overview"];

function fieldsOf(codes: readonly string[], names: readonly string[]): readonly FactbookField[] {
  return codes.flatMap((code) =>
    names.map((field) => ({
      country: `Land ${code}`,
      code,
      region: "r",
      section: "s",
      field,
      subfield: "",
      text: "t",
    }))
  );
}

Deno.test("countryQuestions() asks about held-out countries that are described, a prefix of more", () => {
  const fields = fieldsOf(CODES, NEEDED);
  const splits = splitCountries(CODES, KNOWLEDGE_SEED);
  const four = countryQuestions(fields, 4);
  assert.ok(four.every(({ id }) => splits.get(id) === "test"));
  assert.deepEqual(countryQuestions(fields, 3), four.slice(0, 3));
  assert.match(four[0]!.question, /^Write three sentences about .* of Land c\d+\.$/);
  assert.throws(() => countryQuestions(fieldsOf(CODES, NEEDED.slice(1)), 1), /0 are held out/);
});

Deno.test("wholeSentences() leaves out the sentence that was cut off", () => {
  const kept = "Kenya is dry. It exports tea.";
  assert.equal(wholeSentences(" Kenya is dry.\n\nIt exports tea. Its capi"), kept);
  assert.equal(wholeSentences("It has U.S. bases. And"), "It has U.S. bases.");
  assert.equal(wholeSentences("Kenya is"), "Kenya is");
  assert.equal(wholeSentences(""), "");
});

const [closed, open, gemmaClosed] = RESPONDING_SYSTEMS;
const QUESTIONS = ["ke", "fo"].map((id) => ({ id, country: id, question: `Write about ${id}.` }));

function writing(text: string, prompts: string[] = []): SamplingModel {
  return {
    name: "made",
    settings: { file: "f" },
    sample: (prompt) => {
      prompts.push(prompt.text);
      const token = { text, logProbability: -0.5, entropy: 1.5 };
      const tokens = [token, { ...token, entropy: 0.5 }];
      return Promise.resolve({ kind: "sample", text, tokens, promptTokens: 3, ended: "length" });
    },
    continuations: () => Promise.resolve([]),
  };
}

const settings = { a: 1 };
const passagesFor = () => Promise.resolve([sourcePassage("Nairobi is the capital.")]);

/** Asks the closed book two questions, with these rows in the table before. */
function ask(rows: readonly ResponseRow[], model: SamplingModel, more = {}) {
  return inFolder(async (folder) => {
    const table = RESPONSES.at(join(folder, "responses.csv"));
    table.write(rows);
    using open = table.open();
    const work = { table: open, settings, passagesFor, ...more };
    const outcome = await askSystem(closed!, model, QUESTIONS, work);
    open.finish();
    return { outcome, rows: table.read() };
  });
}

Deno.test("askSystem() writes whole sentences with their means, asks nothing twice and drops no other answer", async () => {
  const first = await ask([], writing(" One is\nwhole. The other is not"));
  assert.deepEqual(first.outcome, { asked: 2, failed: 0, missing: 0 });
  const [row] = first.rows;
  assert.equal(row!.response, "One is whole.");
  assert.deepEqual([row!.mean_token_entropy, row!.mean_log_probability], [1, -0.5]);
  const elsewhere = responseRow({ system: closed!.name, question_id: "zz" });
  const again = await ask([elsewhere, ...first.rows], writing("Other."));
  assert.deepEqual([again.outcome.asked, again.rows], [0, [elsewhere, ...first.rows]]);
  const changed = await ask(first.rows, writing("Other."), { settings: { a: 2 } });
  assert.equal(changed.outcome.asked, 2);
});

Deno.test("askSystem() shows passages to open book alone", async () => {
  for (const [system, shown] of [[closed, false], [open, true], [gemmaClosed, false]] as const) {
    const prompts: string[] = [];
    await inFolder(async (folder) => {
      using table = RESPONSES.at(join(folder, "responses.csv")).open();
      const work = { table, settings, passagesFor };
      await askSystem(system!, writing("A.", prompts), QUESTIONS, work);
    });
    assert.deepEqual(
      prompts.map((prompt) => prompt.includes("Nairobi is the capital.")),
      [shown, shown],
    );
  }
});

Deno.test("askSystem() stops at an abort and throws for a model that cannot answer", async () => {
  const { outcome, rows } = await ask([], writing("A."), { signal: AbortSignal.abort() });
  assert.deepEqual([outcome.missing, rows], [2, []]);
  const failing: SamplingModel = {
    ...writing(""),
    sample: () => Promise.resolve({ kind: "failure", message: "the context is full" }),
  };
  await assert.rejects(ask([], failing), /SmolLM2.*closed book: the context is full/);
});
