/** Training examples: labelled claims, and the token pairs for fine-tuning a network. */
import { z } from "zod";
import { shownPath } from "../../../files/atomic.ts";
import { type LabelledCase, labelledFile } from "../../labelled_case.ts";
import { type CaseLabel } from "../../types.ts";
import { claimWindows, sourceSentences } from "../../verifiers/cross_encoder.ts";
import type { PairFrame, Tokenise } from "../../verifiers/cross_encoder.ts";
import { bernoulli, choose, type RandomSource } from "../../../stats/random.ts";
import { termsOf } from "../../retrieval/index.ts";
import type { Split } from "./splits.ts";
import type { LossRow } from "./tables.ts";

/** Number of a label in training. The last does not distinguish refuted from not enough info. */
const LABEL_NUMBERS: Readonly<Record<CaseLabel, number>> = {
  "supported": 0,
  "refuted": 1,
  "not enough info": 2,
  "not supported": 3,
};

/** A case with its split in training. */
export interface TrainingCase extends LabelledCase {
  readonly split: Split;
  /** Set of origin, if another: both are held out together. */
  readonly madeOf?: string;
}

/**
 * Reads cases of files that have a source, in the split they name or the one given.
 * @param onRead Called with the contents of each file.
 */
export function fileCases(
  paths: readonly string[],
  split: Split,
  onRead: (line: string) => void,
): readonly TrainingCase[] {
  return paths.flatMap((path) => {
    const { cases, damaged, leftOut } = labelledFile(path);
    const sourced = cases.filter(({ passages }) => passages.length > 0);
    onRead(
      `${shownPath(path)}: ${cases.length} cases, ${sourced.length} with a source; ` +
        `${damaged.length} damaged lines, ${leftOut.length} left out.`,
    );
    return sourced.map((one): TrainingCase => ({ ...one, split: one.split ?? split }));
  });
}

/** Input of training: the network's own tokens, so that no second tokeniser is needed. */
interface TrainingPair {
  readonly id: string;
  readonly split: Split;
  /** Source set, which determines the number of repetitions. */
  readonly source: string;
  /** Label: 0 supported, 1 refuted, 2 not enough info, 3 refuted or not enough info. */
  readonly label: number;
  readonly ids: readonly number[];
}

/**
 * Makes token pairs of a case: the claim with the nearest window of its sources.
 *
 * That is the window that a verifier is shown. A claim that is not supported is supported by no
 * other window either: if there is another, the pair with it is added as "not supported"; none for
 * a claim that leaves no room for a source.
 */
export function trainingPairs(
  { id, split, set, claim, label, passages }: TrainingCase,
  tokenise: Tokenise,
  frame: PairFrame,
): readonly TrainingPair[] {
  const most = label === "supported" ? 1 : 2;
  const windows = claimWindows(claim, sourceSentences(passages, tokenise), tokenise, frame, most);
  return (windows ?? []).map(({ ids }, at) => (
    { id, split, source: set, label: LABEL_NUMBERS[at === 0 ? label : "not supported"], ids }
  ));
}

/** Lengths in words of sources in which evidence is hidden. */
const SOURCE_LENGTHS = [60, 120, 300, 600, 1200];

/** Matches text that names something: "A man plays" could support what another claim says. */
const SPECIFIC_TEXT = /\s\p{Lu}|\d/u;

/**
 * Hides the evidence of each case at a random position among other cases' evidence.
 *
 * In use a claim rests on a sentence or two of a source that is about more, and sets of labelled
 * claims show it with nothing else. Undefined for a case of several passages, and where no other
 * cluster has evidence for another claim.
 * @param lengths Least numbers of words of a source, one of which is drawn at random.
 */
export function mixedWithOthers(
  cases: readonly TrainingCase[],
  random: RandomSource,
  lengths: readonly number[] = SOURCE_LENGTHS,
): readonly (TrainingCase | undefined)[] {
  const others = cases.filter(({ passages: [first] }) => SPECIFIC_TEXT.test(first?.text ?? ""));
  const wordsIn = (text: string) => text.trim().split(/\s+/u).length;
  return cases.map((one) => {
    const [evidence] = one.passages;
    const isOther = ({ cluster, claim }: TrainingCase) =>
      cluster !== one.cluster && claim !== one.claim;
    if (evidence === undefined || one.passages.length > 1 || !others.some(isOther)) {
      return undefined;
    }
    const wanted = choose(random, lengths);
    const texts = [evidence.text];
    for (let words = wordsIn(evidence.text); words < wanted;) {
      const other = choose(random, others);
      if (!isOther(other)) continue;
      texts.push(other.passages[0]!.text);
      words += wordsIn(other.passages[0]!.text);
    }
    const text = random.shuffle(texts).join(" ");
    return { ...one, id: `${one.id}/among others`, passages: [{ ...evidence, text }] };
  });
}

/** Greatest share of the claim's terms in another text, which else might decide the claim. */
const MAX_SHARED_TERMS = 0.5;

/** Maximum number of texts examined per claim, among those with its rarest terms, or among all. */
const LOOKED_AT = 50;

/** Share of the claims paired with random texts instead of similar ones. */
const RANDOM_TEXT_SHARE = 1 / 3;

/** Interval of the cases that are repeated with sources that are silent on them: one in five. */
const SILENT_INTERVAL = 5;

/**
 * Repeats a random fifth of the cases as "not enough info", with other texts.
 *
 * Each has one to three texts of other clusters, most of these with rare terms of the claim: search
 * results are often silent on a claim, and sets of labelled claims show few such texts; none for a
 * claim for which no such text was found.
 */
export function silentCases(
  cases: readonly TrainingCase[],
  random: RandomSource,
): readonly TrainingCase[] {
  const taken = random.sample(cases, Math.floor(cases.length / SILENT_INTERVAL));
  const others = [
    ...new Map(
      cases.flatMap(({ cluster, claim, passages }) => {
        const text = passages.length === 1 ? passages[0]!.text : "";
        return SPECIFIC_TEXT.test(text) ? [[text, { cluster, claim, text }] as const] : [];
      }),
    ).values(),
  ].map((one) => ({ ...one, terms: new Set(termsOf(one.text)) }));
  const holding = new Map<string, (typeof others)[number][]>();
  for (const other of others) {
    for (const term of other.terms) holding.getOrInsertComputed(term, () => []).push(other);
  }
  return taken.flatMap((one): readonly TrainingCase[] => {
    const terms = new Set(termsOf(one.claim));
    const candidates = [...terms].map((term) => holding.get(term) ?? [])
      .sort((a, b) => a.length - b.length).flat();
    const from = bernoulli(random, RANDOM_TEXT_SHARE) ? others : candidates.slice(0, LOOKED_AT);
    const drawn = Array.from(
      { length: from.length === 0 ? 0 : LOOKED_AT },
      () => choose(random, from),
    );
    const shares = new Map(
      drawn.filter(({ cluster, claim }) => cluster !== one.cluster && claim !== one.claim)
        .map((other) => [other.text, terms.intersection(other.terms).size / terms.size]),
    );
    const [evidence] = one.passages;
    const silent = [...shares].filter(([, share]) => share <= MAX_SHARED_TERMS)
      .slice(0, 1 + random.integer(3)).map(([text]) => text);
    if (evidence === undefined || silent.length === 0) return [];
    const label = "not enough info";
    const passages = [{ ...evidence, text: silent.join(" ") }];
    return [{ ...one, id: `${one.id}/silent`, label, passages }];
  });
}

/** Schema of a line printed by the training. */
export const LOG_ROW = z.union([
  z.object({ step: z.number(), steps: z.number(), loss: z.number() }),
  z.object({
    step: z.number(),
    development_loss: z.number(),
    development_accuracy: z.number(),
  }),
]);

type LogRow = Readonly<z.infer<typeof LOG_ROW>>;

/** Number of batches per row of the loss table. Single batches are noisy and many. */
const BATCHES_A_ROW = 50;

const rounded = (value: number) => Number(value.toFixed(4)) + 0;

/** Makes the rows of the loss table. @param log Log in the printed order. */
export function lossRows(model: string, log: readonly LogRow[]): readonly LossRow[] {
  const steps = log.reduce((most, row) => Math.max(most, "steps" in row ? row.steps : 0), 0);
  const batches = log.filter((row) => "loss" in row);
  const rows = Map.groupBy(batches, ({ step }) => Math.ceil(step / BATCHES_A_ROW) * BATCHES_A_ROW);
  const train = [...rows].map(([step, stepRows]): LossRow => {
    const loss = rounded(stepRows.reduce((sum, row) => sum + row.loss, 0) / stepRows.length);
    return { model, step: Math.min(step, steps), steps, split: "train", loss, accuracy: "" };
  });
  const development = log.filter((row) => "development_loss" in row).map((row): LossRow => ({
    ...{ model, step: row.step, steps, split: "development" },
    loss: rounded(row.development_loss),
    accuracy: rounded(row.development_accuracy),
  }));
  return [...train, ...development];
}
