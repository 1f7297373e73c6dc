/** What models of this process claim about countries, and how much of it the knowledge base bears out. */
import { existsSync } from "node:fs";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import {
  checkClaims,
  copyVerdicts,
  drawClaims,
  judgeRater,
  openCountryLookup,
  type RateClaims,
  rateClaims,
  verifierRater,
} from "../../lib/factuality/generation/response_claims.ts";
import {
  askSystem,
  countryQuestions,
  RESPONDING_SYSTEMS,
  type Settings,
  systemSettings,
} from "../../lib/factuality/generation/responses.ts";
import {
  CLAIM_RATINGS,
  GENERATION_FILES,
  QUESTIONS,
  RESPONSE_CLAIMS,
  RESPONSES,
} from "../../lib/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { overlapVerifier, readBaselineSettings } from "../../lib/factuality/verifiers/baselines.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/head.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { openAsking, openStatusLine } from "../../lib/files/progress.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { claimPrompts, openTold } from "./components.ts";

const STEPS = ["responses", "claims", "ratings"] as const;
const { cache: cacheDirectory } = FACTUALITY_PATHS;

export const TASK = command(
  "study respond",
  "What models claim about countries that nothing was trained on, checked and rated",
  (c) =>
    c.option("--countries <number>", "questions, one a country", int({ min: 1 }), 30)
      .option("--ratings <number>", "claims by lot that all raters rate", int({ min: 1 }), 100)
      .option("--large", "have verifier: large rate them, too: downloads 1.1 GB once")
      .option("--only <step>", `one of ${STEPS.join(", ")}; all unless told`, oneOf(...STEPS))
      .option("--threads <number>", "of evaluation", int({ min: 1 }), 2),
  async ({ countries, ratings, large, only, threads }, { signal }) => {
    const run = { threads, signal };
    const work = {
      responses: () => askSystems(countries, run),
      claims: () => checkAll(run),
      ratings: () => rateDraw(ratings, large === true, run),
    };
    for (const step of only === undefined ? STEPS : [only]) {
      if (!await work[step]()) return EXIT.incomplete;
    }
    return EXIT.done;
  },
);

type Run = Readonly<{ threads: number; signal: AbortSignal }>;

/** Longest prompt with its reply: notes of five passages and of two examples. */
const contextTokens = 2048;

/** Asks the four systems, one model after the other in memory, and writes down how they were asked. */
async function askSystems(countries: number, { threads, signal }: Run): Promise<boolean> {
  const questions = countryQuestions(await factbookFields(cacheDirectory), countries);
  using drawn = QUESTIONS.open();
  for (const question of questions) drawn.put(question);
  drawn.finish();
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const passagesFor = (question: string) => lookup.forQuestion(question, signal);
  // What was asked before keeps the settings that it was asked with: speed is one of them.
  const kept = GENERATION_FILES.responseSettings;
  const used: Record<string, Settings> = existsSync(kept)
    ? JSON.parse(Deno.readTextFileSync(kept))
    : {};
  using table = RESPONSES.open();
  for (const name of LOCAL_SAMPLING_NAMES) {
    await using model = await openLocalSampling(name, { cacheDirectory, threads, contextTokens });
    for (const system of RESPONDING_SYSTEMS.filter((one) => one.model === name)) {
      const settings = systemSettings(system, model, lookup.settings);
      using progress = openAsking(system.name);
      const work = { table, settings, passagesFor, signal, onProgress: progress.show };
      const { asked, missing } = await askSystem(system, model, questions, work);
      if (missing > 0) return false;
      if (asked > 0) used[system.name] = settings;
    }
  }
  table.finish();
  writeJsonAtomic(kept, used);
  return true;
}

/** Splitter, lookup and trained verifier. */
async function openChecking(threads: number) {
  await using opened = new AsyncDisposableStack();
  const encoder = opened.use(await loadMiniLm({ cacheDirectory, threads }));
  const lookup = await openCountryLookup(encoder, cacheDirectory);
  const verifier = opened.use(await openTrainedVerifier({ cacheDirectory, threads }));
  const resources = opened.move();
  return {
    ...{ splitter: ruleSplitter(), lookup, verifier },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

async function checkAll({ threads, signal }: Run): Promise<boolean> {
  using answered = RESPONSES.open(); // Of an answer that was replaced, and the run killed, the last.
  const [responses, questions] = [[...answered.rows.values()], QUESTIONS.read()];
  await using checking = await openChecking(threads);
  using table = RESPONSE_CLAIMS.open();
  using progress = openAsking("claims");
  const work = { table, signal, onProgress: progress.show };
  const { missing } = await checkClaims(checking, responses, questions, work);
  return missing === 0;
}

/** A draw of the claims rated by both verifiers and the judges, all of them shown the same passages. */
async function rateDraw(
  count: number,
  isLargeAsked: boolean,
  { threads, signal }: Run,
): Promise<boolean> {
  using checked = RESPONSE_CLAIMS.open();
  const made = [...checked.rows.values()];
  await using checking = await openChecking(threads);
  using table = CLAIM_RATINGS.open();
  const work: RateClaims = { claims: drawClaims(made, count), table, signal };
  await copyVerdicts(checking.verifier.name, work);
  using status = openStatusLine();
  const tell = (words: string) => status.show(words);
  const verifier = isLargeAsked ? "large" as const : undefined;
  await using opened = await openTold({ threads, tell }, { ...verifier && { verifier } });
  const raters = [
    verifierRater(overlapVerifier(readBaselineSettings().overlap)),
    ...isLargeAsked ? [verifierRater(opened.verifier)] : [],
    ...opened.judges.map((judge) => judgeRater(judge, claimPrompts(opened.prompts))),
  ];
  for (const rater of raters) {
    using progress = openAsking(rater.name);
    const asked = { ...work, onProgress: progress.show };
    const { missing } = await rateClaims(rater, checking.lookup, asked);
    if (missing > 0) return false;
  }
  const texts = new Map(made.map((row) => [RESPONSE_CLAIMS.keyOf(row), row.claim]));
  table.finish(({ system, question_id, claim_id, claim }) =>
    texts.get(JSON.stringify([system, question_id, claim_id])) === claim
  );
  return true;
}
