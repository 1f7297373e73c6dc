import assert from "node:assert/strict";
import type { SamplingModel } from "../../../models/model.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../claims/knowledge_claims.ts";
import { splitCountries } from "../claims/knowledge_claims.ts";
import { sourcePassage } from "../../../factuality/types.ts";
import { askSystem, countryQuestions, RESPONDING_SYSTEMS } from "./responses.ts";
import { type ResponseRow, RESPONSES } from "./tables.ts";
import { responseRow, scriptedModel, scriptedReply, workOnTable } from "./testdata/made.ts";

Deno.test("countryQuestions() asks about held-out countries that are described, a prefix of more", () => {
  const codes = Array.from({ length: 40 }, (_, i) => `c${i}`);
  const any = { region: "r", section: "s", subfield: "", text: "t" };
  const fields = ["Location", "Government type", "Economic overview"].flatMap((field) =>
    codes.map((code): FactbookField => ({ ...any, country: `Land ${code}`, code, field }))
  );
  const splits = splitCountries(codes, KNOWLEDGE_SEED);
  const four = countryQuestions(fields, 4);
  assert.ok(four.every(({ id }) => splits.get(id) === "test"));
  assert.deepEqual(countryQuestions(fields, 3), four.slice(0, 3));
  assert.match(four[0]!.question, /^Write three sentences about .* of Land c\d+\.$/);
  assert.throws(() => countryQuestions(fields.slice(codes.length), 1), /0 are held out/);
});

const QUESTIONS = ["ke", "fo"].map((id) => ({ id, country: id, question: `Write about ${id}.` }));

const settings = { a: 1 };
const passagesFor = () => Promise.resolve([sourcePassage("Nairobi is the capital.")]);

/** Asks a system two questions, with these rows in the table before. */
const ask = (model: SamplingModel, rows: readonly ResponseRow[] = [], more = {}, system = 0) =>
  workOnTable(RESPONSES, rows, (table) => {
    const work = { table, settings, passagesFor, ...more };
    return askSystem(RESPONDING_SYSTEMS[system]!, model, QUESTIONS, work);
  });

Deno.test("askSystem() writes whole sentences with their means, asks nothing twice and drops no other answer", async () => {
  const first = await ask(scriptedModel(scriptedReply(" One is\nwhole. The other is not")));
  assert.deepEqual([first.outcome.asked, first.outcome.missing], [2, 0]);
  const [row] = first.rows;
  assert.equal(row!.response, "One is whole.");
  assert.deepEqual([row!.mean_token_entropy, row!.mean_log_probability], [1, -0.5]);
  const rows = [responseRow({ system: row!.system, question_id: "zz" }), ...first.rows];
  const other = scriptedModel(scriptedReply("Other."));
  const again = await ask(other, rows);
  assert.deepEqual([again.outcome.asked, again.rows], [0, rows]);
  const changed = await ask(other, first.rows, { settings: { a: 2 } });
  assert.equal(changed.outcome.asked, 2);
});

Deno.test("askSystem() shows passages to open book alone", async () => {
  for (const system of RESPONDING_SYSTEMS.keys()) {
    const model = scriptedModel(scriptedReply("A."));
    await ask(model, [], {}, system);
    const shown = model.asked.map(([prompt]) => prompt.includes("Nairobi is the capital."));
    assert.deepEqual(shown, Array(2).fill(system % 2 === 1));
  }
});
