import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type StandInOptions,
  type StandInServer,
  startStandInServer,
} from "../../lib/models/hosted/testdata/stand_in/server.ts";
import type { MaskedModel } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { LanguageModel } from "../../lib/models/model.ts";
import { namedPanel, parsePanel } from "../../lib/models/panel.ts";
import { NORSE_PATHS } from "../../lib/studies/norse/study.ts";
import { readAnswers } from "../../lib/pairs/answers.ts";
import { evaluatePanel, ownPanel } from "../../lib/pairs/evaluate.ts";
import { openOwnPairs } from "../../lib/pairs/own_pairs.ts";
import { panelWithRole, readPanel } from "../../lib/pairs/panels.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";
import { fakeLanguage } from "../../lib/pairs/testdata/fake_models.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import { codeCells, listNotebooks, notebookPath, parseNotebook } from "../notebook/nbformat.ts";
import {
  type EvaluateOptions,
  runEvaluation,
  runOwnPairs,
  runOwnWithOnnx,
  scoreWithOnnx,
  type Surroundings,
} from "./run.ts";

const PAIRS = madePairs(6);
const PANEL = parsePanel(Deno.readTextFileSync(NORSE_PATHS.hostedPanel), "groq.yaml");
const LETTERS = ["A", "B", "The answer is B.", "A or B", "(A)"];

/** An answer that depends on nothing but the question. */
const answer: StandInOptions["answer"] = ({ model, prompt }) =>
  LETTERS[(model.length + prompt.length + Number(/b(\d+)\./.exec(prompt)?.[1])) % LETTERS.length]!;

type Change = Partial<EvaluateOptions & Pick<Surroundings, "panel" | "signal" | "further">> & {
  readonly key?: boolean;
};

/** Makes a test's folder; `run` gives exit code and printed text. */
function placeIn(at: (name: string) => string, folder: string, server: StandInServer) {
  const standIn = { baseUrl: server.baseUrl, calls: { backoffSeconds: 0.001 } };
  const own = studyIn(folder);
  const study: PairStudy = { ...own, connection: { ...own.connection, standIn } };
  const run = async (
    { key = true, panel = PANEL, signal, further, ...asked }: Change = {},
  ) => {
    if (key) Deno.writeTextFileSync(at(".env"), `GROQ_API_KEY_1=gsk_test_${"a".repeat(20)}\n`);
    const printed: string[] = [];
    const code = await runEvaluation({ orders: "both", ...asked }, {
      study,
      pairs: PAIRS,
      panel,
      further,
      signal: signal ?? new AbortController().signal,
      print: (text) => printed.push(text),
    });
    return [code, printed.join("\n")] as const;
  };
  const names = ["results.csv", "invalid.csv", "asked.csv", "settings.json"];
  const files = () => names.map((name) => Deno.readTextFileSync(at(name)));
  return { server, folder, study, run, files };
}

/** One place to run in, with a stand-in for Groq. */
const place = (
  options: StandInOptions,
  work: (at: ReturnType<typeof placeIn>) => Promise<void>,
) =>
  inFolder(async (at, folder) => {
    await using server = startStandInServer({ answer, ...options });
    await work(placeIn(at, folder, server));
  });

const rowsOf = (path: string) => rows(Deno.readTextFileSync(path));

const rows = (text = "") => text.trimEnd().split("\n").slice(1);

Deno.test("runEvaluation() asks and writes nothing without a key, or where it only estimates", () =>
  place({}, async ({ server, folder, run }) => {
    const [code, text] = await run({ key: false });
    assert.equal(code, 1);
    assert.match(text, /^Panel groq: 4 of 4 models, 6 of 6 pairs, both orders$/m);
    assert.match(
      text,
      /Nothing of test is asked: there is no \.env: run `cp \.env\.example \.env`/,
    );
    const few = { estimate: true, limit: 4, key: false };
    const [estimated, estimate] = await run({ ...few, orders: "counterbalanced" });
    assert.equal(estimated, 0);
    assert.match(
      estimate,
      /4 of 6 pairs, one order a pair.*openai\/gpt-oss-120b \| 4 \| \d+ \| 400 /s,
    );
    const panel = readPanel(NORSE_PATHS.panel, NORSE_PATHS.project);
    const local = /^gemma-3-270m: 8 questions and likelihoods of 4 pairs, on this machine$/m;
    assert.match((await run({ ...few, panel }))[1], local);
    assert.deepEqual([server.calls.length, [...Deno.readDirSync(folder)]], [0, []]);
  }));

Deno.test("nothing is asked that was not ordered: no notebook calls a host, whatever keys .env has", () =>
  place({}, async ({ server, folder, study }) => {
    Deno.writeTextFileSync(join(folder, ".env"), `GROQ_API_KEY_1=gsk_test_${"a".repeat(20)}\n`);
    const served = namedPanel({ server: server.openAiBaseUrl, model: "mine" });
    for (const panel of [PANEL, served]) {
      const done = await evaluatePanel(study, PAIRS, panel);
      assert.deepEqual(done.map(({ missing }) => missing), panel.models.map(() => 12));
      for (const { ended } of done) {
        assert.match(ended!.message, /no command asked for it: `deno task/);
      }
    }
    assert.equal(server.calls.length, 0);
    const notebooks = join(NORSE_PATHS.project, "notebooks");
    const asking = /hosts: true|openHosted\(|groqModel\(|groqClient|serverModel\(/;
    const names = listNotebooks(notebooks);
    assert.ok(names.length > 10);
    for (const name of names) {
      const text = Deno.readTextFileSync(notebookPath(notebooks, name));
      for (const { cell } of codeCells(parseNotebook(text, name))) {
        assert.doesNotMatch(cell.source, asking, name);
      }
    }
  }));

Deno.test("runEvaluation() asks about further pairs and scores them, in files of their own, and is complete with them only", () =>
  place({}, async ({ folder, run, study }) => {
    Deno.mkdirSync(join(folder, "reverse"));
    const reverse = { ...study, name: "reverse", files: studyIn(join(folder, "reverse")).files };
    const probes = { study: { ...studyIn(folder), name: "probes" }, pairs: madePairs(9) };
    const pairs = probes.pairs.slice(6);
    const own = fakeLanguage("own");
    const scoredBy = (model: LanguageModel) => (panel: typeof PANEL) => [
      { study: reverse, pairs, panel },
      { ...probes, panel: ownPanel([model]) },
    ];
    const further = scoredBy(own);
    const [, estimate] = await run({ estimate: true, limit: 2, further });
    assert.match(estimate, /^openai\/gpt-oss-20b: 4 questions of reverse$/m);
    assert.match(estimate, /^own: likelihoods of 2 pairs of probes$/m);
    const stop = new AbortController();
    const score = (texts: readonly string[]) => (stop.abort(), own.score(texts));
    assert.equal((await run({ further: scoredBy({ ...own, score }), signal: stop.signal }))[0], 3);
    const [code, text] = await run({ models: ["openai/gpt-oss-20b"], limit: 6, further });
    assert.equal(code, 0, text);
    assert.match(text, /Likelihoods of probes:[^]*\| own \| 0 \| 0 \| 0 \| 6 \| 0 \|/);
    assert.match(text, /Complete for these.* own lacks likelihoods of 3 pairs of probes: without/);
    assert.match((await run({ further, orders: "counterbalanced" }))[1], /Complete\. Now/);
    assert.match((await run({ further }))[1], /Complete\. Now/);
    assert.equal(readAnswers(reverse, pairs).responses.length, 4 * 3 * 2);
    assert.equal(readAnswers(study, PAIRS).responses.length, 4 * 6 * 2);
  }));

Deno.test("runEvaluation() asks about further pairs who has all of the first, where the others have no key", () =>
  place({}, async ({ folder, run, study, server }) => {
    const { models: [served] } = namedPanel({ server: server.openAiBaseUrl, model: "mine" });
    const chat = { ...served!, roles: ["chat" as const] };
    const panel = { ...PANEL, models: [...PANEL.models, chat] };
    assert.equal((await run({ panel, models: ["mine"], key: false }))[0], 0);
    const reverse = { ...study, name: "reverse", files: studyIn(join(folder, "reverse")).files };
    const pairs = madePairs(9).slice(6);
    const further = (chosen: typeof PANEL) => [{ study: reverse, pairs, panel: chosen }];
    const [code, text] = await run({ panel, key: false, further });
    assert.equal(code, 1);
    assert.match(
      text,
      /Answers and likelihoods of reverse:[^]*\| mine \| 6 \|[^]*Nothing of test is asked: /,
    );
    assert.equal(server.calls.length, 2 * 6 + 2 * 3);
  }));

Deno.test("runEvaluation() asks the four models of the specification under its names", () =>
  place({}, async ({ server, folder, run, files }) => {
    const [code, text] = await run();
    assert.equal(code, 0, text);
    const [results = "", , , settings = ""] = files();
    assert.equal(rows(results).length, 4 * 6 * 2);
    const names = [...new Set(rows(results).map((row) => row.split(",")[0]))];
    assert.deepEqual(names, PANEL.models.map(({ id }) => id).sort());
    assert.ok(server.calls.some(({ model }) => model === "llama-3.3-70b-versatile"));
    assert.match(text, /Complete\. Now: deno task notebooks 13 14 15$/);
    // What a stand-in answers can never pass for Groq's, and nothing secret is anywhere.
    assert.equal(settings.match(/"host": "stand-in"/g)?.length, 4);
    const written = [...Deno.readDirSync(folder)].filter(({ name }) => name !== ".env")
      .map(({ name }) => Deno.readTextFileSync(join(folder, name)));
    for (const content of [...written, text]) assert.doesNotMatch(content, /gsk_|127\.0\.0\.1/);
    assert.match((await run())[1], /Nothing was left to ask\./);
    assert.equal(server.calls.length, 4 * 6 * 2);
  }));

Deno.test("runEvaluation() asks a model that Groq gave up from a server of one's own, under its name", () => {
  const plan: StandInOptions["plan"] = ({ model }) =>
    model.includes("scout") && model !== "scout" ? { kind: "withdrawn" } : undefined;
  return place({ plan }, async ({ run, server, files }) => {
    const [code, text] = await run();
    assert.equal(code, 3);
    assert.match(text, /scout-17b-16e-instruct: .*kind: openai-compatible.*data\/panels\/groq/);
    const id = "meta-llama/llama-4-scout-17b-16e-instruct";
    const own = {
      id,
      kind: "openai-compatible" as const,
      model: "scout",
      concurrency: 3,
      baseUrl: server.openAiBaseUrl,
      roles: ["chat" as const],
      licence: "open weights",
    };
    const models = PANEL.models.map((entry) => entry.id === id ? own : entry);
    assert.equal((await run({ panel: { ...PANEL, models } }))[0], 0);
    assert.equal(rows(files()[0]).filter((row) => row.startsWith(`${id},`)).length, 12);
  });
});

Deno.test("runEvaluation() asks only the models named, and refuses others", () =>
  place({}, async ({ run, server }) => {
    await assert.rejects(run({ models: ["gpt-5"] }), /the panel groq has openai\/gpt-oss-120b, /);
    const [code, text] = await run({ models: ["openai/gpt-oss-20b"], limit: 2 });
    assert.equal(code, 0);
    assert.doesNotMatch(text, /Complete\. Now/);
    // Twelve questions a model, of which four are answered.
    assert.match(
      text,
      /Complete for these.*groq \(both orders\) .*gpt-oss-20b lacks 8 questions of test/,
    );
    assert.match(text, /gpt-oss-120b lacks 12 questions.*: without --models and --limit/);
    assert.deepEqual(server.calls.map(({ model }) => model), Array(4).fill("openai/gpt-oss-20b"));
  }));

Deno.test("runOwnPairs() asks a server about a file's pairs, goes on after a stop, and ends in the same bytes", () =>
  inFolder(async (at) => {
    const rows = Array.from({ length: 9 }, (_, n) => `She walks b${n}.,She walk b${n}.`);
    Deno.writeTextFileSync(at("en.csv"), `grammatical,ungrammatical\n${rows.join("\n")}\n`);
    const stop = new AbortController();
    let resumed = false;
    const plan: StandInOptions["plan"] = ({ number }) => {
      // Eight are in flight at once: the twelfth begins when four are answered.
      if (number === 12) stop.abort();
      return number > 8 && !resumed ? { kind: "hang" } : undefined;
    };
    await using server = startStandInServer({ answer, plan });
    const panel = panelWithRole(
      namedPanel({ server: server.openAiBaseUrl, model: "mine" }),
      "chat",
    );
    const said: string[] = [];
    const run = async (out: string, signal = new AbortController().signal) => {
      const own = await openOwnPairs(at("en.csv"), at(out));
      const world = { panel, signal, print: (text: string) => void said.push(text) };
      return await runOwnPairs({ orders: "both" }, own, world);
    };
    assert.equal(await run("a", stop.signal), 3);
    assert.match(said.at(-1)!, /Cannot measure: no model of own has answered or scored all pairs/);
    const before = rowsOf(at("a/evaluation_results.csv"));
    assert.ok(before.length >= 4 && before.length <= 8);
    resumed = true;
    assert.equal(await run("a"), 0, said.join("\n"));
    const found = /^\n(.*pairs.*)\n\n\| model \| by [^]*\| mine \| forced choice \|/;
    assert.match(said.at(-1)!, found);
    const asked = server.calls.length;
    assert.equal(await run("b"), 0);
    assert.equal(server.calls.length - asked, 18);
    for (const name of ["evaluation_results", "invalid_answers", "statistics", "pairs"]) {
      assert.deepEqual(rowsOf(at(`a/${name}.csv`)), rowsOf(at(`b/${name}.csv`)), name);
    }
    assert.deepEqual(
      Deno.readFileSync(at("a/accuracy.png")),
      Deno.readFileSync(at("b/accuracy.png")),
    );
  }));

/** Every character is a token; the more that are hidden, the less probable each is. */
const masked = (name: string): MaskedModel => ({
  name,
  settings: { precision: "F32" },
  tokenise: (text) => ({
    tokens: text.split(" ").flatMap((part, word) => [...part].map((piece) => ({ piece, word }))),
    logProbabilities: (queries) =>
      Promise.resolve(queries.map(({ masked }) => -Math.log(1 + masked.length))),
  }),
});

Deno.test("scoreWithOnnx() opens a model once, scores with both variants, and frees it", () =>
  inFolder(async (_, folder) => {
    const set = { study: studyIn(folder), pairs: madePairs(3) };
    const said: string[] = [];
    const open = ({ id }: { readonly id: string }) => {
      const free = () => Promise.resolve(void said.push("freed"));
      return Promise.resolve({ ...masked(id), [Symbol.asyncDispose]: free });
    };
    const entry = { id: "tiny", path: "models/tiny", licence: "MIT" };
    const print = (text: string) => void said.push(text);
    const given = { signal: new AbortController().signal, print };
    assert.equal(await scoreWithOnnx(entry, [set], { ...given, limit: 2 }, open), true);
    assert.match(said[0]!, /\| tiny:pll_original \| 0 \| 0 \| 0 \| 2 \| 0 \|/);
    assert.match(said[1]!, /tiny:pll_original lacks likelihoods of 1 pairs of test, /);
    assert.equal(said[2], "freed");
    assert.equal(await scoreWithOnnx(entry, [set], given, open), true);
    assert.match(said.at(-2)!, /^\nComplete: 3 pairs of test\. Now: deno task/);
    const { likelihoods } = readAnswers(set.study, set.pairs);
    const names = likelihoods.map(({ model }) => model);
    assert.deepEqual([names.length, new Set(names).size], [6, 2]);
    // “Hánum líkaði þat b0.”: 17 letters, each hidden alone.
    const [first] = likelihoods;
    assert.equal(first?.grammatical.logProbability.toFixed(6), (-17 * Math.log(2)).toFixed(6));
  }));

Deno.test("runOwnWithOnnx() scores a user's pairs in both variants, after a context too, and measures them", () =>
  inFolder(async (at) => {
    Deno.writeTextFileSync(
      at("a.csv"),
      "grammatical,ungrammatical,before\nab c,abcd c,x y\nd,de f,\n",
    );
    const said: string[] = [];
    const given = {
      signal: new AbortController().signal,
      print: (text: string) => said.push(text),
    };
    const open = ({ id }: { readonly id: string }) =>
      Promise.resolve({ ...masked(id), [Symbol.asyncDispose]: () => Promise.resolve() });
    const own = await openOwnPairs(at("a.csv"), at("out"), { context: "before" });
    const entry = { id: "tiny", path: "models/tiny", licence: "not stated" };
    assert.equal(await runOwnWithOnnx(entry, own, given, open), 0);
    const { likelihoods } = readAnswers(own.study, own.pairs);
    const found = likelihoods.map(({ model, pairId, grammatical, ungrammatical }) =>
      [model.slice(5), pairId, grammatical.tokens, ungrammatical.tokens].join(" ")
    );
    assert.deepEqual(found, [
      "pll_original a_0001 3 5",
      "pll_original a_0002 1 3",
      "pll_within_word_l2r a_0001 3 5",
      "pll_within_word_l2r a_0002 1 3",
    ]);
    // Original: ln 2 a token. Left to right: of “ab” first both are hidden, then one.
    const [original, , within] = likelihoods;
    const nats = (value: number) => value.toFixed(6);
    assert.equal(nats(original!.grammatical.logProbability), nats(-3 * Math.log(2)));
    assert.equal(nats(within!.grammatical.logProbability), nats(-Math.log(3 * 2 * 2)));
    assert.match(said.join("\n"), /\| tiny:pll_original \| total log-probability \| 100\.0 /);
    assert.match(said.at(-1)!, /^\nComplete: 2 pairs of a\.csv/);
  }));
