/**
 * Evaluates made pairs against a fake server that knows all answers.
 *
 * The resulting rows are checked against the expected ones.
 * @module
 */
import { join } from "node:path";
import { readTextIfThere } from "../../../lib/files/atomic.ts";
import { apiKey } from "../../../lib/models/hosted/api_keys.ts";
import { groqModel } from "../../../lib/models/hosted/groq_model.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "../../../lib/models/hosted/keyed_calls.ts";
import {
  type FaultPlan,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import type { GroqEntry } from "../../../lib/models/panel.ts";
import { evaluateForcedChoice, type EvaluationReport } from "../../../lib/pairs/ask.ts";
import {
  forcedChoiceTemplate,
  formatPrompt,
  grammaticalLetter,
  type Letter,
  ORDERS,
} from "../../../lib/pairs/forced_choice.ts";
import { madePairs } from "../../../lib/pairs/testdata/norse.ts";
import { fnv1a64 } from "../../../lib/stats/random.ts";

/** Seed of all random choices: faults, and times of aborts and kills. */
export const SEED = 20261122;
const TEMPLATE = forcedChoiceTemplate("Old Norse");

/** Four fake models, as many as the hosted panel has. */
export const MODELS: readonly GroqEntry[] = ["one", "two", "three", "four"].map((name) => (
  { id: `stand-in/${name}`, kind: "groq", roles: ["chat"], licence: "none" }
));

/** Three fake API keys. */
export const KEYS = ["a", "b", "c"].map((letter, index) =>
  apiKey(`GROQ_API_KEY_${index + 1}`, `gsk_test_${letter.repeat(20)}`)
);

/** Hashes texts to an integer, 0 … 2³² − 1. */
export function drawn(...texts: readonly string[]): number {
  return Number(fnv1a64(JSON.stringify([SEED, ...texts])) >> 32n);
}

/** Returns the server's answer to a question: A or B, each with probability ½. */
export function knownLetter(
  { model, prompt }: Readonly<{ model: string; prompt: string }>,
): Letter {
  return drawn("letter", model, prompt) % 2 === 0 ? "A" : "B";
}

/** Outcome that a row may hold. */
export type RowOutcome = Letter | "INVALID";

/** A question with its known answer and expected row. */
export type KnownQuestion = ReturnType<typeof knownQuestions>[number];

/**
 * Lists every question of a run over a number of made pairs.
 *
 * `fields` is the beginning of its row in the results file (`model,pair_id,order`). `row` returns
 * the whole row for an outcome.
 */
export function knownQuestions(pairs: number) {
  return MODELS.flatMap(({ id: model }) =>
    madePairs(pairs).flatMap((pair) =>
      ORDERS.map((order) => {
        const fields = `${model},${pair.id},${order}`;
        const row = (outcome: RowOutcome) =>
          `${fields},${outcome},${outcome === grammaticalLetter(order) ? "True" : "False"}`;
        return { model, prompt: formatPrompt(TEMPLATE, pair, order), fields, row };
      })
    )
  );
}

/**
 * Makes a fake clock that skips waiting times. It starts on a fixed day and advances with real
 * time; sleeping advances it at once.
 */
export function skippingClock() {
  const start = Date.UTC(2026, 10, 22, 9) - performance.now();
  let skipped = 0;
  const now = () => start + performance.now() + skipped;
  /** Advances the clock to a moment, never back. */
  const skipTo = (moment: number) => void (skipped += Math.max(0, moment - now()));
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    const end = now() + milliseconds;
    // A turn of the event loop passes, so that replies under way are not overtaken for ever.
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    skipTo(end);
  };
  return { now, skipTo, sleep };
}

/**
 * Starts a server that answers every question correctly, except for planned faults. It counts them.
 */
export function knowingServer(plan: FaultPlan = () => undefined) {
  let faults = 0;
  const server = startStandInServer({
    answer: knownLetter,
    plan: (call) => {
      const behaviour = plan(call);
      if (behaviour) faults += 1;
      return behaviour;
    },
  });
  return {
    baseUrl: server.baseUrl,
    calls: server.calls,
    faults: () => faults,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Output folder and server of a run, with the number of pairs. */
export type FaultRunTarget = Readonly<{ folder: string; baseUrl: string; pairs: number }>;

interface RunOptions {
  readonly calls?: KeyedCallsOptions;
  readonly keys?: typeof KEYS;
  readonly signal?: AbortSignal;
}

/**
 * Options for one concurrent request per key and a generous timeout. The number of faults is then
 * independent of timing.
 */
export const ONE_BY_ONE = { concurrencyPerKey: 1, timeoutSeconds: 30 };

/** Timeout of one call in seconds, short because calls to hung sockets wait for it. */
export const TIMEOUT_SECONDS = 0.25;

export const resultsPath = (folder: string) => join(folder, "evaluation_results.csv");

/**
 * Runs the complete evaluation once: key ring, groq-sdk and a real connection. It resumes earlier
 * results.
 */
export async function evaluateOnce(
  { folder, baseUrl, pairs }: FaultRunTarget,
  { calls: options = {}, keys = KEYS, signal }: RunOptions = {},
): Promise<EvaluationReport> {
  const times = { timeoutSeconds: TIMEOUT_SECONDS, backoffSeconds: 0.002 };
  const usagePath = join(folder, "usage.json");
  using calls = openKeyedCalls(keys, { ...times, usagePath, ...options });
  const generation = { temperature: 0, maxReplyTokens: 64 };
  const report = await evaluateForcedChoice({
    pairs: madePairs(pairs),
    models: MODELS.map((entry) => groqModel(entry, generation, { calls, baseUrl })),
    template: TEMPLATE,
    files: {
      responses: resultsPath(folder),
      invalidAnswers: join(folder, "invalid_answers.csv"),
      asked: join(folder, "evaluation_asked.csv"),
      likelihoods: join(folder, "likelihoods.csv"),
      settings: join(folder, "evaluation_settings.json"),
    },
    signal,
  });
  requireNoSecret(folder, report);
  return report;
}

/**
 * Repeats the evaluation until every question has a row.
 * @throws {Error} if a row of an earlier run disappears.
 */
export async function runUntilComplete(
  place: FaultRunTarget,
  { now, sleep, skipTo } = skippingClock(),
  options: RunOptions = {},
): Promise<void> {
  let before: readonly string[] = [];
  const asking = { ...options, calls: { now, sleep, ...options.calls } };
  // Far more runs than any kind of fault needs.
  for (let run = 1; run <= 40; run++) {
    const report = await evaluateOnce(place, asking);
    const lines = new Set(readLines(resultsPath(place.folder)));
    const gone = before.find((line) => !lines.has(line));
    if (gone !== undefined) throw new Error(`A row is gone after run ${run}: ${gone}`);
    before = [...lines];
    // What was refused (400, 413) is named and missing no more, and asked again by another run.
    if (report.missing === 0 && report.failed.length === 0) return;
    // What a user does who reads when the quota returns.
    for (const { ended } of report.models) {
      if (ended?.returns) skipTo(ended.returns.getTime() + 1000);
    }
  }
  throw new Error("Not complete after 40 runs");
}

/** Checks that reports and files contain no API key. @throws {Error} naming the place. */
function requireNoSecret(folder: string, report: unknown): void {
  const texts = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => [name, Deno.readTextFileSync(join(folder, name))]);
  for (const [place, text] of [...texts, ["a report", Deno.inspect(report, { depth: 20 })]]) {
    const key = KEYS.find((key) => text!.includes(key.reveal()));
    if (key) throw new Error(`The value of ${key.label} is in ${place}`);
  }
}

/**
 * Reads the complete lines below the header. A killed process may leave half a line, which is
 * ignored.
 */
function readLines(path: string): readonly string[] {
  const [header, ...lines] = (readTextIfThere(path) ?? "").split("\n").slice(0, -1);
  if (header !== undefined && header !== "model,pair_id,order,response,correct") {
    throw new SyntaxError(`Cannot judge ${path}: its header is "${header}"`);
  }
  return lines;
}

/**
 * Compares a results file with the known answers, without the code that wrote it.
 *
 * `lost` counts questions without a row, `doubled` repeated or unknown rows, and `wrong` rows with
 * a different answer.
 */
export function judgeRows(
  folder: string,
  questions: readonly KnownQuestion[],
  outcomeOf: (question: KnownQuestion) => RowOutcome = knownLetter,
) {
  const left = new Map(questions.map((question) => [question.fields, question]));
  let [doubled, wrong] = [0, 0];
  for (const line of readLines(resultsPath(folder))) {
    const question = left.get(line.split(",", 3).join());
    if (question === undefined) doubled += 1;
    else if (line !== question.row(outcomeOf(question))) wrong += 1;
    if (question) left.delete(question.fields);
  }
  return { lost: left.size, doubled, wrong };
}

// A run in a process of its own, started by faults.ts: with real time, one request in flight a key. Tells
// on standard output how it ended.
if (import.meta.main) {
  const [folder = "", baseUrl = "", pairs, timeout] = Deno.args;
  const calls = { concurrencyPerKey: 1, failuresInARow: 2, timeoutSeconds: Number(timeout) };
  const report = await evaluateOnce({ folder, baseUrl, pairs: Number(pairs) }, { calls });
  console.log(JSON.stringify(report));
}
