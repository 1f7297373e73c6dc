import type { Passage } from "../retrieval/passage.ts";
import type { Split } from "../training/country_split.ts";
import type { KnowledgeCase } from "../training/knowledge_case.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { packPair, type PairFrame, type Tokenise } from "../verifiers/cross_encoder_pair.ts";
import { sourceSentences } from "../verifiers/cross_encoder_sentences.ts";

/** What training reads: the network's own input, so that no tokeniser is needed a second time. */
export interface TrainingPair {
  readonly id: string;
  readonly split: Split;
  /** Place in `VERDICT_LABELS`. */
  readonly label: number;
  readonly ids: readonly number[];
}

/** What the network is shown of a source; `claims only` is the check for artefacts. */
export type Shown = "evidence and claim" | "claim only";

/** The passages that are shown. */
export function shownPassages(passages: readonly Passage[], shown: Shown): readonly Passage[] {
  return shown === "claim only" ? [] : passages;
}

/** Cases as pairs of tokens, in order; claims that leave no room for evidence are left out. */
export function trainingPairs(
  cases: readonly KnowledgeCase[],
  { tokenise, frame, shown }: {
    readonly tokenise: Tokenise;
    readonly frame: PairFrame;
    readonly shown: Shown;
  },
): readonly TrainingPair[] {
  return cases.flatMap(({ id, split, label, claim, passages }): readonly TrainingPair[] => {
    const sentences = sourceSentences(shownPassages(passages, shown), tokenise);
    const pair = packPair(claim, sentences, tokenise, frame);
    if (pair === undefined) return [];
    return [{ id, split, label: VERDICT_LABELS.indexOf(label), ids: pair.ids }];
  });
}

/** One JSON object a line. */
export function formatTrainingPairs(pairs: readonly TrainingPair[]): string {
  return pairs.map((pair) => `${JSON.stringify(pair)}\n`).join("");
}
