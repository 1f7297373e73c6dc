import assert from "node:assert/strict";
import { join } from "node:path";
import { openJobStore } from "../../lib/models/hosted/batch/jobs.ts";
import type { KeyedCallsOptions } from "../../lib/models/hosted/keyed_calls.ts";
import {
  type StandInOptions,
  type StandInServer,
  startStandInServer,
} from "../../lib/models/hosted/testdata/stand_in/server.ts";
import type { MaskedModel } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { LanguageModel } from "../../lib/models/model.ts";
import { type Panel, parsePanel } from "../../lib/models/panel.ts";
import { NORSE_PATHS } from "../../lib/norse/study.ts";
import { readAnswers } from "../../lib/pairs/answers.ts";
import { ordersToAsk, pendingWork } from "../../lib/pairs/evaluate.ts";
import { bothOrders } from "../../lib/pairs/forced_choice.ts";
import { readPanel } from "../../lib/pairs/panels.ts";
import { lockAnswers, type PairStudy } from "../../lib/pairs/study.ts";
import { fakeLanguage } from "../../lib/pairs/testdata/fake_models.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import type { PairSet } from "../studies.ts";
import {
  type EvaluateOptions,
  type OpenMasked,
  runEvaluation,
  scoreAll,
  scoreWithOnnx,
  type Surroundings,
} from "./run.ts";

const PAIRS = madePairs(6);
const PANEL = parsePanel(Deno.readTextFileSync(NORSE_PATHS.hostedPanel), "groq.yaml");
const DAY = 86_400_000;
const LETTERS = ["A", "B", "The answer is B.", "A or B", "(A)"];

/** An answer that depends on nothing but the question. */
const answer: StandInOptions["answer"] = ({ model, prompt }) =>
  LETTERS[(model.length + prompt.length + Number(/b(\d+)\./.exec(prompt)?.[1])) % LETTERS.length]!;

const askedThrough = (
  study: PairStudy,
  standIn: NonNullable<PairStudy["connection"]["standIn"]>,
): PairStudy => ({ ...study, connection: { ...study.connection, standIn } });

/** One place to run in, with a stand-in for Groq; `run` gives exit code and what was printed. */
async function place(
  options: StandInOptions,
  work: (at: {
    readonly server: StandInServer;
    readonly folder: string;
    readonly run: (line?: string, change?: Change) => Promise<readonly [number, string]>;
    readonly files: () => readonly string[];
  }) => Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync();
  const at = (name: string) => join(folder, name);
  await using server = startStandInServer({ answer, ...options });
  const run = async (
    line = "",
    { key = true, panel = PANEL, signal, calls, beside }: Change = {},
  ) => {
    if (key) Deno.writeTextFileSync(at(".env"), `GROQ_API_KEY_1=${"gsk_test_" + "a".repeat(20)}\n`);
    const printed: string[] = [];
    const surroundings: Surroundings = {
      study: askedThrough(studyIn(folder), {
        baseUrl: server.baseUrl,
        calls: { backoffSeconds: 0.001, ...calls },
      }),
      ...{ pairs: PAIRS, panel },
      ...(beside ? { beside } : {}),
      signal: signal ?? new AbortController().signal,
      print: (text) => printed.push(text),
    };
    const code = await runEvaluation(optionsIn(line), surroundings);
    return [code, printed.join("\n")] as const;
  };
  const read = () =>
    ["results.csv", "invalid.csv", "asked.csv", "settings.json"].map((name) =>
      Deno.readTextFileSync(at(name))
    );
  try {
    await work({ server, folder, run, files: read });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** What a few words of a command line stand for. */
function optionsIn(line: string): EvaluateOptions {
  const value = (name: string) => new RegExp(`--${name} (\\S+)`).exec(line)?.[1];
  const limit = value("limit");
  return {
    orders: value("orders") === "counterbalanced" ? "counterbalanced" : "both",
    models: value("models")?.split(","),
    limit: limit === undefined ? undefined : Number(limit),
    estimate: line.includes("--estimate"),
  };
}

interface Change {
  readonly key?: boolean;
  readonly panel?: Panel;
  readonly signal?: AbortSignal;
  readonly calls?: KeyedCallsOptions;
  readonly beside?: NonNullable<Surroundings["beside"]>;
}

const rows = (text = "") => text.trimEnd().split("\n").slice(1);

Deno.test("runEvaluation() asks nothing without a key, says what to do, and writes nothing", async () => {
  await place({}, async ({ server, folder, run }) => {
    const [code, text] = await run("", { key: false });
    assert.equal(code, 1);
    assert.match(text, /^Panel groq: 4 of 4 models, 6 of 6 pairs, both orders$/m);
    assert.match(text, /Nothing is asked: there is no \.env: run `cp \.env\.example \.env`/);
    assert.equal(server.calls.length, 0);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("runEvaluation() only estimates where told", async () => {
  await place({}, async ({ server, run }) => {
    const [code, text] = await run("--estimate --orders counterbalanced --limit 4");
    assert.equal(code, 0);
    assert.match(text, /4 of 6 pairs, one order a pair/);
    assert.match(text, /\| openai\/gpt-oss-120b \| 4 \| \d+ \| 400 \| guessed \|/);
    assert.match(text, /\| together \| 16 \|/);
    const panel = readPanel(NORSE_PATHS.panel, NORSE_PATHS.project);
    const [, local] = await run("--estimate --limit 4", { key: false, panel });
    assert.match(local, /^gemma-3-270m: 8 questions and likelihoods of 4 pairs, on this machine$/m);
    assert.equal(server.calls.length, 0);
  });
});

Deno.test("runEvaluation() scores what stands beside the questions, and is complete with it only", async () => {
  await place({}, async ({ folder, run }) => {
    const study = { ...studyIn(folder), name: "probes" };
    const own = fakeLanguage("own");
    const beside = () => [{ study, pairs: PAIRS, models: [own] }];
    const [, estimate] = await run("--estimate --limit 4", { beside });
    assert.match(estimate, /^own: likelihoods of 4 pairs of probes$/m);
    const stop = new AbortController();
    const score: typeof own.score = (texts) => {
      stop.abort();
      return own.score(texts);
    };
    const stopping = () => [{ study, pairs: PAIRS, models: [{ ...own, score }] }];
    assert.equal((await run("", { beside: stopping, signal: stop.signal }))[0], 3);
    const [code, text] = await run("", { beside });
    assert.equal(code, 0);
    assert.match(
      text,
      /Likelihoods of probes:[^]*\| own \| 0 \| 0 \| 0 \| 6 \| 0 \|[^]*Complete\./,
    );
  });
});

Deno.test("runEvaluation() is not complete while what stands beside the questions lacks scores", async () => {
  await place({}, async ({ folder, run }) => {
    Deno.mkdirSync(join(folder, "probes"));
    const study = { ...studyIn(join(folder, "probes")), name: "probes" };
    const beside = () => [{ study, pairs: madePairs(9), models: [fakeLanguage("own")] }];
    // As many probes as there are pairs: the questions are complete, the probes are not.
    const [code, text] = await run("--limit 6", { beside });
    assert.equal(code, 0);
    assert.match(
      text,
      /Complete for these questions\..* own lacks likelihoods of 3 pairs of probes: without --models/,
    );
    assert.match((await run("", { beside }))[1], /Complete\. Now: /);
  });
});

Deno.test("runEvaluation() asks the four models of the specification under its names", async () => {
  await place({}, async ({ server, folder, run, files }) => {
    const [code, text] = await run();
    assert.equal(code, 0, text);
    const [results = "", , , settings = ""] = files();
    assert.equal(rows(results).length, 4 * 6 * 2);
    assert.deepEqual(
      [...new Set(rows(results).map((row) => row.split(",")[0]))],
      PANEL.models.map(({ id }) => id).sort(),
    );
    assert.ok(server.calls.some(({ model }) => model === "llama-3.3-70b-versatile"));
    assert.match(text, /Complete\. Now: deno task notebooks 13 14 15$/);
    // What a stand-in answers can never pass for Groq's, and nothing secret is anywhere.
    assert.equal(settings.match(/"host": "stand-in"/g)?.length, 4);
    const written = [...Deno.readDirSync(folder)].filter(({ name }) => name !== ".env")
      .map(({ name }) => Deno.readTextFileSync(join(folder, name)));
    for (const content of [...written, text]) assert.doesNotMatch(content, /gsk_|127\.0\.0\.1/);
    assert.equal((await run())[1].includes("Nothing was left to ask."), true);
    assert.equal(server.calls.length, 4 * 6 * 2);
  });
});

Deno.test("runEvaluation() finishes over three days of quota by running again, in the same bytes", async () => {
  let whole: readonly string[] = [];
  await place({}, async ({ run, files }) => {
    await run();
    whole = files();
  });
  const answered = new Map<string, number>();
  let day = 0;
  const plan: StandInOptions["plan"] = ({ model }) => {
    const name = `${model} ${day}`;
    const count = (answered.get(name) ?? 0) + 1;
    answered.set(name, count);
    if (count <= 5) return undefined;
    return { kind: "rate limit", quota: "RPD", retryAfter: 7200, tryAgainIn: "2h0m0s" };
  };
  await place({ plan }, async ({ run, files }) => {
    const codes = [];
    for (day = 0; day < 3; day++) {
      const now = Date.now() + day * DAY;
      const [code, text] = await run("", { calls: { now: () => now } });
      codes.push(code);
      if (code !== 3) continue;
      assert.match(text, /- openai\/gpt-oss-120b: Cannot ask .*no available keys remain/);
      assert.match(
        text,
        /\| openai\/gpt-oss-120b \| openai\/gpt-oss-120b \| waits for its quota \| \d+ \| \d+ \| \d+ \| \d{4}-/,
      );
      assert.match(text, /Incomplete; everything so far is kept/);
    }
    assert.deepEqual(codes, [3, 3, 0]);
    assert.deepEqual(files(), whole);
  });
});

Deno.test("runEvaluation() keeps what was answered before an abort, and goes on from there", async () => {
  const stop = new AbortController();
  // The ninth question makes us stop; those that are under way then are never answered.
  const plan: StandInOptions["plan"] = ({ number, asked }) => {
    if (number === 9) stop.abort();
    return number > 8 && asked === 1 && !resumed ? { kind: "hang" } : undefined;
  };
  let resumed = false;
  await place({ plan }, async ({ run, files }) => {
    const [code, text] = await run("", { signal: stop.signal });
    assert.equal(code, 3, text);
    const kept = rows(files()[0]).length;
    assert.ok(kept >= 1 && kept <= 8, `${kept} rows`);
    resumed = true;
    assert.equal((await run())[0], 0);
    assert.equal(rows(files()[0]).length, 48);
  });
});

Deno.test("runEvaluation() asks a model that Groq gave up from a server of one's own, under its name", async () => {
  const plan: StandInOptions["plan"] = ({ model }) =>
    model.includes("scout") && model !== "scout" ? { kind: "withdrawn" } : undefined;
  await place({ plan }, async ({ run, server, files }) => {
    const [code, text] = await run();
    assert.equal(code, 3);
    assert.match(
      text,
      /scout-17b-16e-instruct: .*kind: openai-compatible.*data\/panels\/groq\.yaml/,
    );
    assert.match(
      text,
      /\| meta-llama\/llama-4-scout[^|]* \|[^|]*\| stopped, see above why \| 0 \|/,
    );
    const scout = "meta-llama/llama-4-scout-17b-16e-instruct";
    const models = PANEL.models.map((entry) =>
      entry.id !== scout ? entry : {
        ...{ id: scout, kind: "openai-compatible" as const, model: "scout", concurrency: 3 },
        ...{ baseUrl: server.openAiBaseUrl, roles: ["chat" as const], licence: "open weights" },
      }
    );
    assert.equal((await run("", { panel: { ...PANEL, models } }))[0], 0);
    assert.equal(rows(files()[0]).filter((row) => row.startsWith(`${scout},`)).length, 12);
  });
});

Deno.test("ordersToAsk() asks nothing more of a panel that is complete in one order a pair", async () => {
  await place({}, async ({ run, folder, server: { baseUrl } }) => {
    const study = askedThrough(studyIn(folder), { baseUrl });
    const missing = () => {
      const orders = ordersToAsk(study, PAIRS, PANEL);
      return pendingWork(study, PAIRS, PANEL, { orders }).map(({ answers }) => answers);
    };
    assert.deepEqual(missing(), [12, 12, 12, 12]);
    const [, text] = await run("--orders counterbalanced");
    assert.match(text, /Complete\. Now/);
    assert.deepEqual(missing(), [0, 0, 0, 0]);
    // Who asks for both orders is given the other half.
    await run("--orders both --models openai/gpt-oss-20b");
    assert.deepEqual(missing(), [0, 0, 0, 0]);
    await run("--orders both");
    assert.equal(ordersToAsk(study, PAIRS, PANEL), bothOrders);
  });
});

Deno.test("runEvaluation() asks only the models named, and refuses others", async () => {
  await place({}, async ({ run, server }) => {
    await assert.rejects(run("--models gpt-5"), /the panel groq has openai\/gpt-oss-120b, /);
    const [code, text] = await run("--models openai/gpt-oss-20b --limit 2");
    assert.equal(code, 0);
    assert.doesNotMatch(text, /Complete\. Now/);
    // Twelve questions a model, of which four are answered.
    assert.match(
      text,
      /Complete for these questions\. Of the panel groq \(both orders\) .*gpt-oss-20b lacks 8 answers/,
    );
    assert.match(text, /gpt-oss-120b lacks 12 answers.*: without --models and --limit/);
    assert.deepEqual(
      new Set(server.calls.map(({ model }) => model)),
      new Set(["openai/gpt-oss-20b"]),
    );
    assert.equal(server.calls.length, 4);
  });
});

Deno.test("runEvaluation() leaves a model to the batch that is asking it", async () => {
  await place({}, async ({ run, server, folder }) => {
    const entry = PANEL.models.find(({ id }) => id === "openai/gpt-oss-20b");
    assert.ok(entry?.kind === "groq");
    openJobStore(join(folder, "batches")).save({
      ...{ name: "one", hostModel: entry.id, keyLabel: "GROQ_API_KEY_1", requests: 7 },
      ...{ step: "submitted", fileId: "file_1", batchId: "batch_1" },
    });
    const [code, text] = await run();
    assert.equal(code, 3);
    assert.match(
      text,
      /gpt-oss-20b: a batch is at work on 7 of its questions: let `deno task evaluate --batch --study test`/,
    );
    assert.ok(!server.calls.some(({ model }) => model === entry.id));
    assert.equal(server.calls.length, 3 * 12);
  });
});

Deno.test("runEvaluation() does not ask while another process adds to the answers", async () => {
  await place({}, async ({ run, server, folder }) => {
    const path = join(folder, "answers.lock");
    using _other = lockAnswers(path);
    await assert.rejects(run(), /another process is doing so/);
    assert.equal(server.calls.length, 0);
  });
});

/** Pairs and probes in a folder each, and what is printed. */
function inPlace(
  work: (main: PairSet, probes: PairSet, said: string[]) => Promise<void>,
): Promise<void> {
  return inFolder(async (_, folder) => {
    const [main, probes] = ["main", "probes"].map((name, index) => {
      Deno.mkdirSync(`${folder}/${name}`);
      return { study: { ...studyIn(`${folder}/${name}`), name }, pairs: madePairs(4 + 4 * index) };
    });
    await work(main!, probes!, []);
  });
}

const options = (said: string[], change: { limit?: number; signal?: AbortSignal } = {}) => ({
  signal: new AbortController().signal,
  print: (text: string) => void said.push(text),
  ...change,
});

Deno.test("scoreAll() scores every set, prints each under its name, and has nothing to do then", async () => {
  await inPlace(async (main, probes, said) => {
    const models = [fakeLanguage("m")];
    const scorings = [main, probes].map((set) => ({ ...set, models }));
    assert.equal(await scoreAll(scorings, options(said, { limit: 2 })), true);
    assert.equal(await scoreAll(scorings, options(said)), true);
    assert.equal(await scoreAll(scorings, options(said)), true);
    assert.equal(said.length, 4);
    assert.match(said[0] ?? "", /^\nLikelihoods of main:\n\n[^]*\| m \| 0 \| 0 \| 0 \| 2 \| 0 \|$/);
    assert.match(said[3] ?? "", /^\nLikelihoods of probes:[^]*\| m \| 0 \| 0 \| 0 \| 6 \| 0 \|$/);
    assert.equal(readAnswers(main.study, main.pairs).likelihoods.length, 4);
    assert.equal(readAnswers(probes.study, probes.pairs).likelihoods.length, 8);
  });
});

Deno.test("scoreAll() says that something is left after a stop", async () => {
  await inPlace(async (main, _, said) => {
    const stop = new AbortController();
    const model = fakeLanguage("m");
    const stopping: LanguageModel = {
      ...model,
      score: (texts) => {
        stop.abort();
        return model.score(texts);
      },
    };
    const scorings = [{ ...main, models: [stopping] }];
    assert.equal(await scoreAll(scorings, options(said, { signal: stop.signal })), false);
    assert.equal(readAnswers(main.study, main.pairs).likelihoods.length, 0);
    assert.equal(await scoreAll([{ ...main, models: [model] }], options(said)), true);
  });
});

const ENTRY = { id: "tiny", path: "models/tiny", licence: "MIT" };

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

Deno.test("scoreWithOnnx() opens a model once, scores with both variants, and frees it", async () => {
  await inFolder(async (_, folder) => {
    const set = { study: studyIn(folder), pairs: madePairs(3) };
    const steps: string[] = [];
    const open: OpenMasked = ({ id }, { cacheDirectory }) => {
      steps.push(`open ${id} with ${cacheDirectory}`);
      const free = () => Promise.resolve(void steps.push("free"));
      return Promise.resolve({ ...masked(id), [Symbol.asyncDispose]: free });
    };
    const told: string[] = [];
    const options = {
      ...{ signal: new AbortController().signal, cacheDirectory: "cache" },
      print: (text: string) => {
        steps.push("told");
        told.push(text);
      },
    };
    assert.equal(await scoreWithOnnx(ENTRY, [set], { ...options, limit: 2 }, open), true);
    assert.deepEqual(steps, ["open tiny with cache", "told", "told", "free"]);
    assert.match(
      told[0]!,
      /^\nLikelihoods of [^]*\| tiny:pll_original \| 0 \| 0 \| 0 \| 2 \| 0 \|/,
    );
    assert.match(
      told[1]!,
      /^\nComplete for these pairs\. tiny:pll_original lacks 1 of test, .* without --limit they/,
    );
    assert.equal(await scoreWithOnnx(ENTRY, [set], options, open), true);
    assert.match(told.at(-1)!, /^\nComplete: 3 pairs of test\. Now: deno task/);
    assert.equal(await scoreWithOnnx(ENTRY, [set], options, open), true);
    // Where nothing is left that is all it says.
    assert.deepEqual(told.slice(-2), [told.at(-1), told.at(-1)]);
    const { likelihoods } = readAnswers(set.study, set.pairs);
    assert.deepEqual(
      [...Map.groupBy(likelihoods, ({ model }) => model)].map(([name, rows]) => [
        ...[name, rows.length],
      ]),
      [["tiny:pll_original", 3], ["tiny:pll_within_word_l2r", 3]],
    );
    const [first] = likelihoods;
    // “Hánum líkaði þat b0.”: 17 letters, each hidden alone.
    assert.equal(first?.grammatical.logProbability.toFixed(6), (-17 * Math.log(2)).toFixed(6));
  });
});
