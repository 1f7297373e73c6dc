/** Calibration of a user's language model as a verifier, on user-labelled claims. */
import { basename, dirname, resolve } from "node:path";
import { labelledFile } from "../../../lib/factuality/labelled_case.ts";
import { caseAddress } from "../../../lib/factuality/own/ask_components.ts";
import {
  readConfiguration,
  serverCalibrationPath,
} from "../../../lib/factuality/check/configuration.ts";
import { openVerifier } from "../../../lib/factuality/check/components.ts";
import { logOdds } from "../../../lib/factuality/judges/ensemble.ts";
import { FACTUALITY_PATHS, userFolder } from "../../../lib/factuality/paths.ts";
import * as measures from "../../../lib/factuality/own/training/measures.ts";
import { isTransient } from "../../../lib/factuality/types.ts";
import {
  calibratedModel,
  CALIBRATION_FILE,
  type PromptedCalibration,
} from "../../../lib/factuality/verifiers/prompted.ts";
import { verdictOdds, verdictProbabilities } from "../../../lib/factuality/verifiers/large.ts";
import { makeFolder, shownPath } from "../../../lib/files/atomic.ts";
import { addressOf } from "../../../lib/files/asking.ts";
import { writeJsonAtomic } from "../../../lib/files/json.ts";
import { askWithProgress } from "../../../lib/files/progress.ts";
import { blankOr, name, number, table, text } from "../../../lib/files/table.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { EXIT } from "../../command.ts";
import { openReporting } from "../../user_answers.ts";

/** Uncalibrated answers of a verifier to claims, stored with the calibration. */
const ANSWERS = table({
  path: resolve(FACTUALITY_PATHS.cache, "verifier_answers.csv"),
  about: "what a language model of one's own said of labelled claims, uncalibrated",
  maker: "deno task factcheck train verifier --config",
  columns: {
    settings_sha256: name("address of the verifier's settings and prompt"),
    case: name("of the labelled claims"),
    case_sha256: text("address of claim and source"),
    supported: blankOr(number("probability, 0–1; empty where it gave no verdict")),
    refuted: blankOr(number("probability, 0–1")),
  },
  key: ["settings_sha256", "case"],
});

/** Number of labelled claims below which a warning is printed. */
const FEW_CLAIMS = 100;

/**
 * Calibrates the configuration's language model on labelled claims. It asks about every claim, fits
 * Platt scaling of the log-odds and measures it by cross-validation over clusters. Answers are
 * stored; another run asks what is missing. @throws {RangeError} for another kind of verifier, or
 * claims that allow no fit.
 */
export async function calibratePrompted({ config, verifier: line, paths, out, threads, signal }: {
  readonly config: string;
  /** Verifier's name, overriding the configuration's; it identifies the calibration. */
  readonly verifier?: string | undefined;
  readonly paths: readonly string[];
  readonly out?: string | undefined;
  readonly threads: number;
  readonly signal: AbortSignal;
}): Promise<number> {
  const { verifier: entry } = readConfiguration(config, line);
  const cannot = (why: string) =>
    new RangeError(`Cannot calibrate the verifier ${line ?? `of ${config}`}: ${why}`);
  if (entry.kind !== "prompted" && entry.kind !== "prompted-server") {
    throw cannot(
      `its kind is ${entry.kind}, and only prompted and prompted-server are calibrated here.`,
    );
  }
  if (paths.length === 0) throw cannot("name labelled claims with --cases FILE.");
  const cases = paths.flatMap((path) =>
    labelledFile(path).cases.filter(({ passages }) => passages.length > 0)
      .map((one) => ({ ...one, id: paths.length > 1 ? `${basename(path)}: ${one.id}` : one.id }))
  );
  const usualFolder = line === undefined
    ? userFolder("verifiers", config)
    : dirname(serverCalibrationPath(line));
  const folder = resolve(out ?? usualFolder);
  makeFolder(folder);
  await using opened = await openReporting({ config, threads, verifier: line }, async (opening) => {
    const bare = { ...opening, calibrationOf: () => undefined };
    const verifier = await openVerifier({ ...entry, calibration: undefined }, bare);
    return { verifier, template: opening.prompts.template(entry.prompt) };
  });
  const { verifier, template: { name: prompt, sha256: promptSha256, verdictWords } } = opened;
  const settings = addressOf({ ...verifier.settings, promptSha256 });
  using answers = ANSWERS.at(resolve(folder, basename(ANSWERS.path))).open();
  let trouble = "";
  const rows = await askWithProgress(verifier.name, {
    questions: cases,
    table: answers,
    keyOf: ({ id }) => JSON.stringify([settings, id]),
    isCurrent: (row, one) => row.case_sha256 === caseAddress(one),
    async ask(one, signal) {
      const [verdict] = await verifier.verify([one.claim], one.passages, { signal });
      const isLost = verdict?.kind === "unscored" && isTransient(verdict.reason);
      if (verdict === undefined || isLost) trouble = verdict?.message ?? "no verdict";
      if (verdict === undefined || isLost) return undefined;
      const { supported = "", refuted = "" } = verdict.kind === "scored"
        ? verdict.probabilities
        : {};
      const identity = { settings_sha256: settings, case: one.id, case_sha256: caseAddress(one) };
      return { ...identity, supported, refuted } as const;
    },
    concurrency: "concurrency" in entry ? entry.concurrency : 1,
    signal,
  });
  if (rows === undefined) {
    if (trouble !== "") console.error(`${verifier.name}: ${trouble}`);
    return EXIT.incomplete;
  }
  const scored = cases.flatMap((one, i) => {
    const { supported, refuted } = rows[i]!;
    if (supported === "" || refuted === "") return [];
    const silent = Math.max(0, 1 - supported - refuted);
    // A verifier with two verdicts is scaled by the odds of its next word.
    const odds = verdictWords === undefined
      ? { supported: logOdds(supported), refuted: 0 }
      : verdictOdds([supported, refuted, silent]);
    const probabilities = { supported, refuted, "not enough info": silent };
    return [{ ...one, odds, probabilities }];
  });
  const random = () => randomSource(`calibration of ${entry.id}`);
  const fitted = ((): Pick<PromptedCalibration, "supported" | "refuted" | "measured"> => {
    try {
      const calibration = measures.fitVerdicts(scored);
      const calibrationOf = measures.crossFitted(scored, random(), measures.fitVerdicts);
      const judged = scored.map((one) => (
        { ...one, probabilities: verdictProbabilities(one.odds, calibrationOf(one)) }
      ));
      const { n, low, high, ...figures } = measures.measureVerdicts(judged, "binary");
      const before = measures.measureVerdicts(scored, "binary").calibrationError;
      const known = (what: string, value = before) => measures.numberOrThrow(entry.id, what, value);
      const measured = {
        balancedAccuracy: known("balanced accuracy", figures.balancedAccuracy),
        low: known("interval", low),
        high: known("interval", high),
        n,
        on: `claims of ${paths.map((path) => basename(path)).join(", ")}`,
        areaUnderCurve: figures.areaUnderCurve,
        uncalibratedError: known("calibration error"),
        calibrationError: known("calibration error", figures.calibrationError),
        unscored: cases.length - n,
      };
      return { ...calibration, measured };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw cannot(
        `${scored.length} of ${cases.length} claims have a verdict. ${why} Label more: fifty of ` +
          "either side, from five sources or more.",
      );
    }
  })();
  const { chunkWords, windows } = entry;
  const model = calibratedModel(verifier.settings);
  const calibrationIdentity = { id: entry.id, ...model, prompt, promptSha256, chunkWords, windows };
  const path = resolve(folder, CALIBRATION_FILE);
  writeJsonAtomic(path, { schemaVersion: 2, ...calibrationIdentity, ...fitted });
  const { balancedAccuracy, low, high, n, uncalibratedError, calibrationError } = fitted.measured;
  const share = (value: number) => value.toFixed(3);
  console.log(
    `${entry.id}, ${prompt}: balanced accuracy ${share(balancedAccuracy)} (${share(low)} to ` +
      `${share(high)}), n = ${n}; calibration error ${share(uncalibratedError)} before, ` +
      `${share(calibrationError)} after.`,
  );
  if (n < FEW_CLAIMS) {
    console.log(`${n} claims are few: what was fitted to them may not hold for others.`);
  }
  if (line !== undefined && out === undefined) {
    console.log(
      `Wrote ${shownPath(path)}, which --verifier with the same words takes from now on.`,
    );
    return EXIT.done;
  }
  console.log(`Wrote ${shownPath(path)}. In your configuration, under verifier:`);
  console.log(`calibration: ${JSON.stringify(path)}`);
  return EXIT.done;
}
