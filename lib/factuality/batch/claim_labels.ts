/** Sampling of claims for human labels, and the corrected rate of unsupported claims. */
import { resolve } from "node:path";
import { blankOr, name, oneOf, table, text } from "../../files/table.ts";
import { damageReason, foreignRecords, readInputText, withoutFormulas } from "../../files/csv.ts";
import type { RandomSource } from "../../stats/random.ts";
import { isAccepted } from "../decision.ts";
import { figureInterval } from "../metrics/classification.ts";
import { queryOf } from "../metrics/profile.ts";
import { correctedShare } from "../metrics/rates.ts";
import { countedClaims } from "../report/words.ts";
import { type ClaimResult, type Evaluation, VERDICT_LABELS } from "../types.ts";
import type { LabelLookup } from "./systems.ts";

/** A user's file with a blind sample of claims, without the verifier's verdicts. */
export const claimLabels = (path: string) =>
  table({
    path: resolve(path),
    about: "random sample of a batch's claims, for labels by a person",
    maker: "deno task factcheck --batch FILE --draw N",
    columns: {
      evaluation: name("id of the evaluation request"),
      claim: name("number of the claim in the text"),
      text: name("claim in a form that can be read without context"),
      source: text("source of the candidate, or else the retrieved passages"),
      label: blankOr(
        oneOf(VERDICT_LABELS, "verdict of the reader against the source; empty if unread"),
      ),
    },
    key: ["evaluation", "claim"],
  });

/**
 * Reads a labelled sample as spreadsheets save it: fields separated by commas, semicolons or tabs,
 * columns in any order, extra columns, labels in any case. @throws {SyntaxError} naming file and
 * line.
 */
export function readClaimLabels(path: string) {
  const labels = claimLabels(path);
  const wrong = (why: string) => new SyntaxError(`Cannot read the labels ${path}: ${why}.`);
  const written = readInputText(path, (why) => wrong(why).message);
  let records;
  try {
    records = foreignRecords(written);
  } catch (error) {
    throw wrong(damageReason(error));
  }
  const [first] = records;
  const missing = labels.columns.find((column) => first !== undefined && !(column in first.record));
  if (missing !== undefined) throw wrong(`the column ${missing} is missing`);
  return records.map(({ line, record }) => {
    try {
      return labels.parse({ ...record, label: record.label!.trim().toLowerCase() });
    } catch (error) {
      throw wrong(`line ${line}, ${damageReason(error)}`);
    }
  });
}

/** Draws `count` claims at random, in random order. All of them where there are fewer. */
export function sampleClaims(
  evaluations: readonly Evaluation[],
  count: number,
  random: RandomSource,
) {
  const all = evaluations.flatMap((evaluation) =>
    countedClaims(evaluation).map((result) => ({ request: evaluation.request, result }))
  );
  return random.shuffle(all).slice(0, count).map(({ request, result: { claim, passages } }) => {
    const looked = passages.map(({ passage }) => passage.text).join(" ");
    const source = request.source.trim() === "" ? looked : request.source;
    const row = { evaluation: request.id, claim: claim.id, label: "" as const };
    return {
      ...row,
      text: withoutFormulas(claim.text),
      source: withoutFormulas(source.replace(/\s+/gu, " ")),
    };
  });
}

export type Labels = ReturnType<ReturnType<typeof claimLabels>["read"]>;
const keyOf = (evaluation: string, claim: string) => JSON.stringify([evaluation, claim]);

/** Returns the human label of a claim, where there is one. */
export function labelLookup(labels: Labels): LabelLookup {
  const truths = new Map(labels.map((row) => [keyOf(row.evaluation, row.claim), row.label]));
  return (evaluation, claim) => truths.get(keyOf(evaluation, claim)) || undefined;
}

const isRefused = ({ verdict }: ClaimResult) =>
  verdict.kind === "unscored" || !isAccepted(verdict.probabilities.supported);

/**
 * Measures the share of unsupported claims, raw and corrected by human labels (see
 * `correctedShare`). The 95 % intervals are by source; with a single source by claim, and then hold
 * for that source. The labelled claims must be a random sample, as `--draw` makes it. @throws
 * {RangeError} for a label of an unknown or changed claim.
 */
export function unsupportedShares(
  evaluations: readonly Evaluation[],
  labels: Labels,
) {
  const read = labels.filter(({ label }) => label !== "");
  const given = new Map(read.map((row) => [keyOf(row.evaluation, row.claim), row]));
  const labelled = evaluations.flatMap((evaluation) =>
    countedClaims(evaluation).map((result) => {
      const key = keyOf(evaluation.request.id, result.claim.id);
      const row = given.get(key);
      if (row !== undefined && row.text !== withoutFormulas(result.claim.text)) {
        throw new RangeError(
          `Cannot correct by the labels: ${row.claim} of ${row.evaluation} is "${row.text}" there and ` +
            `"${result.claim.text}" in the results; draw and label anew.`,
        );
      }
      given.delete(key);
      const truth = row && row.label !== "supported";
      return { ...queryOf(evaluation), predicted: isRefused(result), truth };
    })
  );
  const [unknown] = given.values();
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot correct by the labels: the results have no claim ${unknown.claim} of ${unknown.evaluation}.`,
    );
  }
  const isOneSource = new Set(labelled.map(({ cluster }) => cluster)).size === 1;
  const items = isOneSource
    ? labelled.map((one, at) => ({ ...one, cluster: String(at) }))
    : labelled;
  type Items = readonly typeof items[number][];
  const share = (drawn: Items) => drawn.filter(({ predicted }) => predicted).length / drawn.length;
  return {
    claims: items.length,
    labelled: items.filter(({ truth }) => truth !== undefined).length,
    byVerifier: figureInterval(items, share),
    corrected: figureInterval(items, correctedShare, [-Infinity, Infinity]),
  };
}
