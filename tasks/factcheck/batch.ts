/** Command for many texts of one or several systems: resumable, with a report and profiles. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  claimLabels,
  readClaimLabels,
  sampleClaims,
} from "../../lib/factuality/batch/claim_labels.ts";
import { BATCH_FILES, evaluateBatch } from "../../lib/factuality/batch/evaluate_batch.ts";
import { readCsvRequests, readJsonlRequests } from "../../lib/factuality/batch/requests.ts";
import {
  correctedSentence,
  failuresByReason,
  summarySentences,
} from "../../lib/factuality/batch/summary.ts";
import { profilesOfBatch, systemMatrices } from "../../lib/factuality/batch/systems.ts";
import { measuredByAnswers, storedAnswers } from "../../lib/factuality/own/component_answers.ts";
import type { EvaluationComponents } from "../../lib/factuality/check/components.ts";
import { readSystemMeasures } from "../../lib/factuality/own/query_measures.ts";
import type { ClaimMatcher } from "../../lib/factuality/metrics/agreement.ts";
import { compareProfiles, profileJson } from "../../lib/factuality/metrics/profile.ts";
import { plottedMeasure } from "../../lib/factuality/metrics/profile_metrics.ts";
import { profilePage } from "../../lib/factuality/metrics/profile_page.ts";
import type { Evaluation, EvaluationRequest, Verifier } from "../../lib/factuality/types.ts";
import { shown } from "../../lib/stats/measure.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { firstThree, openAskingProgress, openStatusLine } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { EXIT } from "../command.ts";
import { CLOCK, inputBytes, SEED, versions } from "./opening.ts";

/** Files written for a batch. */
export const WRITTEN = [
  ...Object.values(BATCH_FILES),
  "claim_matrix.csv",
  "profile.html",
  "profile.json",
];

/** Content of a batch's file. */
interface BatchInput {
  readonly requests: readonly EvaluationRequest[];
  /** Number of rejected lines. */
  readonly passedOver: number;
}

/** Reads the requests of a batch and prints rejected lines, up to twenty reasons. */
export function requestsOf(path: string): BatchInput {
  if (!/\.(?:jsonl|csv)$/i.test(path)) {
    throw new SyntaxError(
      `Cannot check ${path}: it is neither .jsonl nor .csv. One text goes with --candidate.`,
    );
  }
  const read = /\.csv$/i.test(path) ? readCsvRequests : readJsonlRequests;
  const bytes = inputBytes(path);
  const input = read(bytes, path);
  const alike = [...Map.groupBy(input.refused, ({ reason }) => reason)];
  for (const [reason, refused] of alike.slice(0, 20)) {
    const lines = refused.map(({ line }) => line);
    const are = lines.length === 1 ? `line ${lines[0]} is` : `lines ${firstThree(lines)} are`;
    console.log(`${path}, ${are} skipped: ${reason}`);
  }
  const rest = alike.slice(20).flatMap(([, refused]) => refused).length;
  if (rest > 0) console.log(`${path}: ${rest} further lines are skipped.`);
  const { requests, refused } = input;
  if (requests.length > 0) return { requests, passedOver: refused.length };
  throw new RangeError(`Cannot check ${path}: it has no request with a candidate.`);
}

/** Number of claims from which a text's progress is reported. */
const LONG = 100;

/** Evaluates the missing texts of a batch, and profiles all results. @returns the exit code. */
export async function checkBatch(
  folder: string,
  path: string,
  { requests, passedOver }: BatchInput,
  { components, concurrency, signal, draw, labels, measured = {} }: {
    readonly components: EvaluationComponents;
    readonly concurrency: number;
    readonly signal: AbortSignal;
    /** Number of claims to draw for human labels. */
    readonly draw?: number | undefined;
    /** Path of the labelled claims. */
    readonly labels?: string | undefined;
    /** Tables of other measurements of the systems. */
    readonly measured?: Parameters<typeof readSystemMeasures>[0];
  },
): Promise<number> {
  // Before models work, so that a wrong file is reported at once.
  const labelled = labels === undefined ? undefined : readClaimLabels(labels);
  // The file's name serves as the system's name where none is given.
  const others = `candidates of ${basename(path)}`;
  const systems = [...new Set(requests.map(({ system = others }) => system))];
  const measuredOf = readSystemMeasures(measured, systems);
  const measuredVerifier = measuredByAnswers(storedAnswers());
  const progress = openAskingProgress("evaluations");
  using stages = openStatusLine();
  const onStage = (request: string, stage: string, done = 0, total = 0) => {
    // A short text ends before a progress line could be read.
    if (total >= LONG) stages.show(`${request}: ${stage} ${done}/${total}`);
  };
  const end = await evaluateBatch({
    folder,
    requests,
    passedOver,
    components,
    concurrency,
    signal,
    seed: SEED,
    ...labelled && { labels: labelled },
    measuredVerifier,
    clock: CLOCK,
    versions: versions(),
    onProgress: progress.show,
    onStage,
  }).finally(() => progress[Symbol.dispose]());
  const { evaluations, resumed } = end;
  const { missing, incomplete, evaluated } = end.summary;
  console.log(
    `${evaluated} evaluated, ${resumed} of them in earlier runs; ${incomplete.length} incomplete; ` +
      `${end.failed} failed.`,
  );
  if (evaluations.length > 0) {
    console.log(summarySentences(end.summary)[0]);
    console.log(`Report, text by text: ${join(folder, BATCH_FILES.report)}, .md`);
    try {
      signal.throwIfAborted();
      const { verifier } = components;
      const named = { others, measuredOf, measuredVerifier };
      await writeProfiles(folder, evaluations, { signal, verifier, ...named });
    } catch (error) {
      if (signal.aborted) return EXIT.incomplete;
      throw error;
    }
  }
  const isWhole = missing === 0 && incomplete.length === 0;
  if (draw !== undefined && isWhole) drawToLabel(folder, evaluations, draw);
  if (draw !== undefined && !isWhole) {
    console.log("Claims to label are sampled when the batch is complete: run this command again.");
  }
  if (labels !== undefined) console.log(correctedSentence(end.summary));
  if (passedOver > 0) console.log(`Lines of ${path} that were skipped: ${passedOver}.`);
  if (isWhole) return EXIT.done;
  if (missing > 0) {
    console.log(`${missing} have no result yet: the same command continues with them.`);
  }
  for (const { ids, words } of failuresByReason(incomplete)) {
    const again = `incomplete and ${
      ids[1] === undefined ? "is" : "are"
    } asked again by the same command`;
    const who = ids[1] === undefined
      ? `${ids[0]} is`
      : `${ids.length} requests (${firstThree(ids)}) are`;
    console.log(`${who} ${again}: ${words}`);
  }
  if (end.failed > 0) console.log(`Reasons of the failures: ${join(folder, BATCH_FILES.failures)}`);
  return EXIT.incomplete;
}

/** Draws claims at random for human labels. An existing draw stays, with its labels. */
function drawToLabel(folder: string, evaluations: readonly Evaluation[], count: number): void {
  const file = claimLabels(join(folder, "claim_labels.csv"));
  if (existsSync(file.path)) {
    throw new RangeError(
      `Cannot sample claims: ${file.path} exists already and may have labels. Name another --out.`,
    );
  }
  file.write(sampleClaims(evaluations, count, randomSource(SEED)));
  console.log(
    `Claims to label, without verdicts: ${file.path}. Fill its last column with supported, refuted or not enough ` +
      `info, and run this command again with --labels ${file.path}`,
  );
}

/** Makes a matcher from the batch's verifier: one claim is the source of another. */
async function matcherFromVerifier(verifier: Verifier): Promise<ClaimMatcher> {
  const { verifierMatcher } = await import("../../lib/factuality/own/claim_matching.ts");
  return verifierMatcher(verifier, undefined, ({ reason, message }) => {
    if (reason !== "failure" && reason !== "time-out") return;
    const why = `${message} The same command continues with it.`;
    throw new Error(`Cannot match claims between systems: ${why}`);
  });
}

/** Writes every system's hallucination profile, with comparisons where there are several. */
async function writeProfiles(
  folder: string,
  evaluations: readonly Evaluation[],
  { signal, verifier, ...named }: {
    readonly verifier: Verifier;
    readonly others: string;
    readonly measuredOf: ReturnType<typeof readSystemMeasures>;
    readonly measuredVerifier: ReturnType<typeof measuredByAnswers>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  using status = openStatusLine();
  const matrices = await systemMatrices(folder, evaluations, () => matcherFromVerifier(verifier), {
    by: verifier.settings,
    signal,
    onProgress: ({ done, total }) =>
      status.show(`claims compared between systems ${done}/${total}`),
  });
  const made = { ...named, madeAt: CLOCK.now().toISOString(), seed: SEED };
  const profiles = profilesOfBatch(evaluations, matrices, made);
  const written = join(folder, "profile.html");
  writeTextAtomic(join(folder, "profile.json"), profileJson(profiles));
  writeTextAtomic(written, profilePage(compareProfiles(profiles, SEED)));
  for (const { model, metrics } of profiles.length > 1 ? profiles : []) {
    const { factualPrecision, mihr, consensusF1 } = metrics;
    const [share, rate, f1] = [factualPrecision, mihr, consensusF1].map((metric) =>
      metric.kind === "measured" ? shown(plottedMeasure(metric), "decimal") : "–"
    );
    console.log(`${model}: supported ${share}; MiHR ${rate}; Consensus F1 ${f1}`);
  }
  if (matrices.length > 0) console.log(`Statements by system: ${join(folder, "claim_matrix.csv")}`);
  console.log(`Hallucination ${profiles.length > 1 ? "profiles" : "profile"}: ${written}`);
}
