import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import type { DrawnModel, DrawnReply } from "../../models/model.ts";
import { readGivenAnswers, readQueries, sampleAnswers, USER_ANSWERS } from "./user_queries.ts";

/** A file of these lines. */
const file = (folder: string, ...lines: readonly object[]) => {
  const path = join(folder, "mine.jsonl");
  Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
};

Deno.test("queries and answers are read, what is none is named by its line, and no id occurs twice", () =>
  inFolder((folder) => {
    const query = "Is there a Lake Vorn?";
    const [first, second] = readQueries(
      file(folder, { query, answerable: false }, { query, id: 7 }),
    );
    const { name, answerable, category, id } = first!;
    assert.deepEqual([name, answerable, category, id.length], ["Lake Vorn", false, "all", 16]);
    assert.equal(second!.id, "7");
    assert.throws(() => readQueries(file(folder, { query }, { query })), /occurs twice/);
    assert.throws(() => readQueries(file(folder, { query }, { quest: "?" })), /line 2 is damaged/);
    const concept = { prompt: query, exists: false, category: "lakes" };
    assert.deepEqual(readQueries(file(folder, concept))[0], { ...first, category: "lakes" });
    assert.throws(() => readQueries(file(folder)), /no query/);
    assert.throws(() => readQueries(join(folder, "none")), /Cannot read .*no such file/);
    assert.throws(() => readQueries(folder), /it is a folder/);
    // Of every token or their mean.
    const given = { query, answers: ["No,\nthere is none.", "Yes"], logprobs: [[-1, -3], -0.5] };
    const { answers } = readGivenAnswers(file(folder, given, { ...given, model: "other" }));
    const actual = answers.map((row) =>
      [row.model, row.answer, row.mean_log_probability].join("|")
    );
    const both = ["No, there is none.|-2", "Yes|-0.5"];
    const expected = ["the model", "other"].flatMap((by) => both.map((said) => `${by}|${said}`));
    assert.deepEqual(actual, expected);
    const weighed = { query, options: ["a", "b"], probabilities: [[0.5, 0.5], [0.9, 0.2]] };
    for (const line of [{ query }, { ...given, logprobs: [-1] }, weighed]) {
      assert.throws(() => readGivenAnswers(file(folder, line)), /line 1 is damaged/);
    }
  }));

const drawn = (text: string): DrawnReply => {
  return { kind: "drawn", text, meanLogProbability: -0.5, ended: "complete" };
};

/** A scripted server model that gives A twice the weight of other letters. */
const served = (
  draw: (seed: string) => DrawnReply,
  more: Partial<DrawnModel> = {},
): DrawnModel => ({
  name: "served",
  settings: { temperature: 1 },
  concurrency: 2,
  isChat: true,
  draw: (_prompt, { seed }) => Promise.resolve(draw(String(seed))),
  answer: (_prompt, letters) => {
    const answers = letters.map((letter) => letter === "A" ? 0.4 : 0.2);
    return Promise.resolve({ kind: "mass", answers, other: 0.2 });
  },
  ...more,
});

const QUERIES = [
  { id: "q", question: "Who?", options: undefined },
  { id: "o", question: "Which?", options: ["this", "that"] },
].map((query) => ({ ...query, answerable: undefined, category: "all", name: "" }));

Deno.test("sampleAnswers() keeps what came, counts what failed, and asks again for that alone", () =>
  inFolder(async (folder) => {
    const table = USER_ANSWERS.at(join(folder, "answers.csv"));
    const failures: string[] = [];
    const asked: string[] = [];
    const ask = async (draw: (seed: string) => DrawnReply, more: Partial<DrawnModel> = {}) => {
      using open = table.open();
      asked.length = 0;
      const model = served((seed) => (asked.push(seed), draw(seed)), more);
      const work = {
        table: open,
        onFailure: (of: string, why: string) => void failures.push(`${of}: ${why}`),
      };
      const how = { queries: QUERIES, samples: 2, instruction: "none" as const };
      return await sampleAnswers(model, { ...how, ...work });
    };
    const half = await ask((seed) =>
      seed.endsWith("2") ? { kind: "failure", message: "down" } : drawn("Thought: Me.\nAnswer: I")
    );
    assert.deepEqual([half.missing, half.answers.length], [2, 2]);
    const expected = ["o", "q"].map((id) => `served, ${id}, answer 2: down`);
    assert.deepEqual(failures.toSorted(), expected);
    const whole = await ask((seed) => drawn(seed));
    assert.deepEqual([whole.missing, asked.toSorted()], [0, ["o 2", "q 2"]]);
    // Whole where an answer is wanted, up to its end where a thought; of letters the shares of what is named.
    const of = (id: string) => whole.answers.find((row) => row.query_id === id)!;
    assert.equal(of("q").answer, "Thought: Me. Answer: I");
    assert.equal(of("o").answer, "Me.");
    assert.deepEqual(of("o").probabilities, [0.66666667, 0.33333333]);
    assert.equal((await ask(drawn, { settings: { temperature: 0.5 } })).missing, 0);
    assert.equal(asked.length, 4, "other settings are another question");
    // In this process the texts are weighed: e⁻¹ and e⁻², together 1.
    const continuations = () => Promise.resolve([-1, -2]);
    const here = await ask(drawn, { settings: {}, continuations });
    assert.equal(here.answers.at(-1)!.probabilities[0], 0.73105858);
    await assert.rejects(ask(drawn, { settings: { host: "" }, answer: undefined }), /weigh .* o /);
    const empty = await ask(() => drawn(""), { settings: { version: 2 } });
    assert.deepEqual([empty.missing, failures.at(-1)!.includes("--tokens")], [2, true]);
  }));
