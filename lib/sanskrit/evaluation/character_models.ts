import { sha256Hex } from "../../files/checksum.ts";
import type { FoldedSentence } from "../../models/baselines/baseline.ts";
import {
  BIDIRECTIONAL_CHARACTER,
  bidirectionalCharacterModel,
} from "../../models/masked/bidirectional_character_model.ts";
import type { MaskedModel } from "../../models/masked/masked_model.ts";
import {
  PSEUDO_LIKELIHOOD_VARIANTS,
  pseudoLikelihoodModels,
  pseudoLikelihoodName,
} from "../../models/masked/pseudo_likelihood.ts";
import type { LanguageModel } from "../../models/model.ts";
import { toIast } from "../devanagari.ts";
import type { ContrastSets } from "../probes/probe_pairs.ts";
import type { Verse } from "../verses.ts";
import { foldedLines, verseFolds } from "./folds.ts";
import { HELD_OUT, textFolds } from "./text_folds.ts";

/** The models' names in every result, known before they are counted. */
export const CHARACTER_MODELS: readonly string[] = PSEUDO_LIKELIHOOD_VARIANTS.map((variant) =>
  pseudoLikelihoodName(BIDIRECTIONAL_CHARACTER, variant)
);

/** Whether a text is in Devanagari; if not, it is in IAST. */
const isDevanagari = (text: string) => /\p{Script=Devanagari}/u.test(text);

/**
 * The character model counted from the Gītā, in both variants of pseudo-likelihood. A text is scored
 * by the lines outside the folds held out for it (see `textFolds`), in its own script: one model is
 * counted from Devanagari and one from the same lines in IAST, so that neither's alphabet weighs on
 * the other. It scores the texts of the sets and no others, of which it could not say what must be
 * held out.
 */
export function characterModels(
  verses: readonly Verse[],
  sets: ContrastSets,
): readonly LanguageModel[] {
  const foldOf = verseFolds(verses);
  const lines = foldedLines(verses, foldOf);
  const heldOutOf = textFolds(sets, foldOf, lines);
  const inIast = lines.map(({ fold, text }): FoldedSentence => ({ fold, text: toIast(text) }));
  const [devanagari, iast] = [lines, inIast].map((own) =>
    bidirectionalCharacterModel(own, heldOutOf)
  );
  const eitherScript: MaskedModel = {
    name: devanagari!.name,
    settings: {
      ...devanagari!.settings,
      scripts: "Devanagari and IAST, each by its own counts",
      heldOut: HELD_OUT,
      sentencesSha256: sha256Hex(lines.map(({ fold, text }) => `${fold} ${text}\n`).join("")),
    },
    tokenise: (text) => (isDevanagari(text) ? devanagari! : iast!).tokenise(text),
  };
  return pseudoLikelihoodModels(eitherScript);
}
