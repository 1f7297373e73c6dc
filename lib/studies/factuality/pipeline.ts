/**
 * Stages of the study in order. Claims are made from the factbook, and held-out ones saved. Systems
 * are asked about held-out countries, their answers checked, and a sample of the claims rated. The
 * commands `study compare` and `study robustness` (`robustness/experiments.ts`) and notebooks 41 to
 * 45 use the results. Every stage asks only for what its table lacks.
 */
import { existsSync } from "node:fs";
import { ruleSplitter } from "../../factuality/claims/rule_splitter.ts";
import { openComponents } from "../../factuality/check/components.ts";
import { FACTUALITY_PATHS } from "../../factuality/paths.ts";
import { type FactbookField, factbookFields } from "../../factuality/retrieval/factbook.ts";
import { overlapVerifier, readBaselineSettings } from "../../factuality/verifiers/baselines.ts";
import { openTrainedVerifier } from "../../factuality/verifiers/head.ts";
import type { Settings } from "../../files/asking.ts";
import { writeJsonAtomic } from "../../files/json.ts";
import { openAskingProgress, openStatusLine } from "../../files/progress.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../models/llama/local_models.ts";
import { randomSource } from "../../stats/random.ts";
import { KNOWLEDGE_SEED, knowledgeClaims } from "./claims/knowledge_claims.ts";
import * as checking from "./generation/response_claims.ts";
import * as asking from "./generation/responses.ts";
import {
  CLAIM_RATINGS,
  GENERATION_FILES,
  QUESTIONS,
  RESPONSE_CLAIMS,
  RESPONSES,
} from "./generation/tables.ts";
import { claimPrompts, openingOptions } from "../../factuality/own/component_groups.ts";
import { KNOWLEDGE_CASES } from "./tables.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;

/** Options of a stage. */
export type StageOptions = Readonly<{ threads: number; signal: AbortSignal }>;

/** Number of saved cases about test countries. */
const HELD_OUT = 1000;

/** Makes claims from the factbook, and samples those of the test countries to save. */
export async function makeCases(fields: readonly FactbookField[]) {
  const how = { prosePerCountry: 6, factsPerCountry: 3, splitter: ruleSplitter() };
  const cases = await knowledgeClaims(fields, { seed: KNOWLEDGE_SEED, ...how });
  const test = cases.filter(({ split }) => split === "test");
  const heldOut = randomSource(`${KNOWLEDGE_SEED}/held-out cases`).sample(test, HELD_OUT);
  KNOWLEDGE_CASES.write(heldOut);
  return { cases, test, heldOut };
}

/**
 * Context size in tokens: a prompt with notes of five passages and of two examples, and its reply.
 */
const contextTokens = 2048;

/**
 * Asks the four systems, one model in memory at a time; records their settings. @returns true where
 * nothing is missing.
 */
export async function askSystems(
  countries: number,
  { threads, signal }: StageOptions,
): Promise<boolean> {
  const questions = asking.countryQuestions(await factbookFields(cacheDirectory), countries);
  using drawn = QUESTIONS.open();
  for (const question of questions) drawn.put(question);
  drawn.finish();
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await checking.openCountryLookup(encoder, cacheDirectory);
  const passagesFor = (question: string) => lookup.forQuestion(question, signal);
  // Earlier answers keep their settings, which include speed.
  const settingsPath = GENERATION_FILES.responseSettings;
  const used: Record<string, Settings> = existsSync(settingsPath)
    ? JSON.parse(Deno.readTextFileSync(settingsPath))
    : {};
  using table = RESPONSES.open();
  for (const name of LOCAL_SAMPLING_NAMES) {
    await using model = await openLocalSampling(name, { cacheDirectory, threads, contextTokens });
    for (const system of asking.RESPONDING_SYSTEMS.filter((one) => one.model === name)) {
      const settings = asking.systemSettings(system, model, lookup.settings);
      using progress = openAskingProgress(system.name);
      const work = { table, settings, passagesFor, signal, onProgress: progress.show };
      const { asked, missing } = await asking.askSystem(system, model, questions, work);
      if (missing > 0) return false;
      if (asked > 0) used[system.name] = settings;
    }
  }
  table.finish();
  writeJsonAtomic(settingsPath, used);
  return true;
}

/**
 * Splits the answers into claims and checks them with the trained verifier. @returns as {@link
 * askSystems}.
 */
export async function checkAnswers({ threads, signal }: StageOptions): Promise<boolean> {
  using answered = RESPONSES.open(); // Of an answer that was replaced, and the run killed, the last.
  const [responses, questions] = [[...answered.rows.values()], QUESTIONS.read()];
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await checking.openCountryLookup(encoder, cacheDirectory);
  await using verifier = await openTrainedVerifier({ cacheDirectory, threads });
  const components = { splitter: ruleSplitter(), lookup, verifier };
  using table = RESPONSE_CLAIMS.open();
  using progress = openAskingProgress("claims");
  const work = { table, signal, onProgress: progress.show };
  const { missing } = await checking.checkClaims(components, responses, questions, work);
  return missing === 0;
}

/**
 * Has a sample of the claims rated by verifiers and judges. They see the same passages. @returns as
 * above.
 */
export async function rateClaimsDrawn(
  count: number,
  isLargeAsked: boolean,
  { threads, signal }: StageOptions,
): Promise<boolean> {
  using checked = RESPONSE_CLAIMS.open();
  const made = [...checked.rows.values()];
  await using encoder = await loadMiniLm({ cacheDirectory, threads });
  const lookup = await checking.openCountryLookup(encoder, cacheDirectory);
  using table = CLAIM_RATINGS.open();
  const work: checking.RateClaims = { claims: checking.drawClaims(made, count), table, signal };
  await checking.copyVerdicts("trained verifier", work);
  using status = openStatusLine();
  const tell = (words: string) => status.show(words);
  await using opened = await openComponents(FACTUALITY_PATHS.configuration, {
    ...openingOptions({ threads, tell }),
    knowledge: false,
    ...isLargeAsked && { verifier: "large" },
  });
  const raters = [
    checking.verifierRater(overlapVerifier(readBaselineSettings().overlap)),
    ...isLargeAsked ? [checking.verifierRater(opened.verifier)] : [],
    ...opened.judges.map((judge) =>
      checking.judgeRater(judge, claimPrompts(opened.prompts, judge))
    ),
  ];
  for (const rater of raters) {
    using progress = openAskingProgress(rater.name);
    const how = { ...work, onProgress: progress.show };
    const { missing } = await checking.rateClaims(rater, lookup, how);
    if (missing > 0) return false;
  }
  const texts = new Map(made.map((row) => [RESPONSE_CLAIMS.keyOf(row), row.claim]));
  table.finish(({ system, question_id, claim_id, claim }) =>
    texts.get(JSON.stringify([system, question_id, claim_id])) === claim
  );
  return true;
}
