import assert from "node:assert/strict";
import type { GroqEntry, ServerEntry } from "../models/panel.ts";
import { accessTo, openHosted, openHostedProgress } from "./hosted.ts";
import { hostedStatus, panelWork } from "./evaluate.ts";
import { closedMessages, hostedStatusTable } from "./tables.ts";
import { test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";
import { studyIn } from "./testdata/study.ts";

const GROQ: GroqEntry = { id: "far/away", kind: "groq", roles: ["chat"], licence: "none" };

const SERVER: ServerEntry = {
  id: "mine",
  kind: "openai-compatible",
  concurrency: 4,
  roles: ["chat"],
  licence: "none",
  baseUrl: "http://127.0.0.1:1/v1",
};

const KEYED = { ...SERVER, keyName: "MINE" };
const TWO_KEYS = ["1", "2"].map((n) => `GROQ_API_KEY_${n}=gsk_test_${n.repeat(9)}\n`).join("");

test("accessTo() opens a model with the keys of its host, or says what to do for one", (at) => {
  const cases: readonly (readonly [GroqEntry | ServerEntry, string | undefined, RegExp])[] = [
    [GROQ, TWO_KEYS, /^GROQ_API_KEY_1,GROQ_API_KEY_2$/],
    [KEYED, "MINE=secret-word", /^MINE$/],
    [SERVER, undefined, /^no key$/],
    [GROQ, undefined, /^there is no \.env: run `cp .*on its line GROQ_API_KEY_1=…$/],
    [KEYED, undefined, /on its line MINE=…$/],
    [GROQ, "MINE=x\n", /\.env: it has no Groq key; add a line GROQ_API_KEY_1=…/],
    [GROQ, "GROQ_API_KEY_1=\n", /\.env, line 1: GROQ_API_KEY_1 has no value/],
    [KEYED, "OTHER=x\n", /it has no MINE; add a line/],
    [{ ...KEYED, baseUrl: "http://h.example/v1" }, "MINE=x\n", /^Cannot send MINE to .* over http/],
  ];
  for (const [index, [entry, env, expected]] of cases.entries()) {
    const path = at(`${index}.env`);
    if (env !== undefined) Deno.writeTextFileSync(path, env);
    const found = accessTo(entry, path);
    assert.match(found.kind === "open" ? found.keys.join() : found.message, expected);
  }
});

test("openHosted() prints once to which host a key goes, of keys but Groq's, and never the key", (at) => {
  Deno.writeTextFileSync(at(".env"), `${TWO_KEYS}MINE=secret-word\n`);
  const lines: string[] = [];
  const entries = [GROQ, KEYED, { ...KEYED, id: "other" }, SERVER];
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const connection = {
    env: at(".env"),
    usage: at("usage.json"),
    print: (line: string) => void lines.push(line),
  };
  using _hosted = openHosted(entries, generation, connection);
  assert.deepEqual(lines, ["The key MINE of .env goes to its server at 127.0.0.1:1."]);
});

test("hostedStatus() counts pairs to score as work left, and a key that is missing for them", (at) => {
  const models = [{ ...KEYED, roles: ["likelihood" as const] }];
  const panel = { name: "mine", generation: { temperature: 0, maxReplyTokens: 10 }, models };
  const status = hostedStatus(panelWork(studyIn(at("")), madePairs(3), panel));
  assert.match(hostedStatusTable(status), /\| mine \| mine \| awaits a key \| 0 \| 0 \| 0 \| 3 \|/);
  assert.match(closedMessages(status), /^there is no \.env/);
});

Deno.test("openHostedProgress() fits 80 columns with a panel's models, and leaves the time left to a quota that was met", () => {
  const names = ["gpt-oss-120b", "gpt-oss-20b", "llama-4-scout-17b-16e-instruct", "llama-3.3-70b"];
  const shown: string[] = [];
  let seconds = 0;
  const write = (text: string) => void shown.push(text.trimEnd());
  const options = { write, terminal: false, everySeconds: 0, now: () => seconds };
  const answer = (model: string, done: number) => {
    seconds += 1;
    const question = { model, pairId: "p", order: "A_gram" as const };
    progress.onProgress({ question, outcome: "invalid", done, total: 4000 });
  };
  const progress = openHostedProgress(new Map(names.map((name) => [name, 1000])), 4000, options);
  answer(names[0]!, 1);
  // Of the others nothing is known.
  assert.equal(shown.at(-1), "choices 1/4000 0% · 1 invalid · +1 +0 +0 +0");
  [1, 2, 3, 0].forEach((n, at) => answer(names[n]!, 2 + at));
  // The slowest has one answer in five seconds, and 999 to go.
  assert.equal(shown.at(-1), "choices 5/4000 0% 1:23:15 left · 5 invalid · +2 +1 +1 +1");
  const key = "GROQ_API_KEY_1";
  progress.onWait({
    model: `meta-llama/${names[2]}`,
    key,
    limit: "tokens per minute",
    seconds: 40,
  });
  assert.equal(shown.at(-1), `waiting 0:40 for ${names[2]} (tokens per minute)`);
  answer(names[0]!, 3999);
  assert.match(
    shown.at(-1)!,
    /^choices 3999\/4000 99% left as the quota allows · 6 invalid · \+3 \+1 \+1 \+1$/,
  );
  progress[Symbol.dispose]();
  for (const text of shown) assert.ok(text.length < 80, text);
  using one = openHostedProgress(new Map([["a/mine", 9]]), 9, options);
  const question = { model: "a/mine", pairId: "p", order: "B_gram" as const };
  one.onProgress({ question, outcome: "valid", done: 3, total: 9 });
  assert.match(shown.at(-1)!, /^choices 3\/9 33% .*mine \+1$/);
});
