import { byteLength, type LanguageModel, type Likelihood } from "../model.ts";

/** One token of a text. */
export interface MaskedToken {
  /** Token as the tokeniser writes it; `##` or `▁` may mark a join or a space. */
  readonly piece: string;
  /** Index of its word in the text, from 0; a space that is a token is its own word. */
  readonly word: number;
}

/** One question: how probable is the token at `position` while the tokens at `masked` are hidden? */
export interface MaskedQuery {
  readonly position: number;
  /** Positions that the model may not see, in ascending order; `position` is among them. */
  readonly masked: readonly number[];
}

interface MaskedText {
  readonly tokens: readonly MaskedToken[];
  /** log P(token at position | tokens not masked) in nats. */
  logProbabilities(queries: readonly MaskedQuery[]): Promise<readonly number[]>;
}

/** A model that predicts a hidden token from the text on both sides of it. */
export interface MaskedModel {
  readonly name: string;
  readonly settings: LanguageModel["settings"];
  tokenise(text: string): MaskedText;
}

/**
 * Variants of pseudo-likelihood: the tokens hidden while one is predicted.
 *
 * `original` hides the token alone (Salazar et al. 2020, "Masked Language Model Scoring"),
 * `within_word_l2r` also the later tokens of its word (Kauf & Ivanova 2023, "A Better Way to Do
 * Masked Language Model Scoring"). The first overrates long words, whose pieces give each other
 * away.
 */
export const PSEUDO_LIKELIHOOD_VARIANTS = ["original", "within_word_l2r"] as const;
type PseudoLikelihoodVariant = (typeof PSEUDO_LIKELIHOOD_VARIANTS)[number];

/** Returns the name of a masked model with its variant, as used in all results. */
function pseudoLikelihoodName(model: string, variant: PseudoLikelihoodVariant): string {
  return `${model}:pll_${variant}`;
}

/** Returns true if results of this name are pseudo-likelihoods. */
export function isPseudoLikelihood(name: string): boolean {
  return PSEUDO_LIKELIHOOD_VARIANTS.some((variant) =>
    name.endsWith(pseudoLikelihoodName("", variant))
  );
}

/** Returns a model's name for readers: `a_b:pll_original` as `a b, PLL original` (pseudo-log-likelihood). */
export function modelLabel(name: string): string {
  if (!isPseudoLikelihood(name)) return name;
  const [model = "", variant = ""] = name.split(":pll_");
  return `${model.replaceAll("_", " ")}, PLL ${variant.replace("_l2r", "").replaceAll("_", " ")}`;
}

export function pseudoLikelihoodQueries(
  tokens: readonly MaskedToken[],
  variant: PseudoLikelihoodVariant,
): readonly MaskedQuery[] {
  return tokens.map(({ word }, position) => {
    const alsoHidden = (other: MaskedToken, at: number) =>
      variant === "within_word_l2r" && at > position && other.word === word;
    const masked = tokens.flatMap((other, at) =>
      at === position || alsoHidden(other, at) ? [at] : []
    );
    return { position, masked };
  });
}

/**
 * Scores texts by the pseudo-log-likelihood of a masked model, in nats.
 *
 * The score is Σ log P(token | tokens that are not masked) over the text's tokens. It is not the
 * log-probability of the text. Compare it only between texts scored by the same model and variant.
 * Throws what the model throws, and a RangeError for an empty text.
 */
export function pseudoLikelihoodModel(
  model: MaskedModel,
  variant: PseudoLikelihoodVariant,
): LanguageModel {
  return {
    name: pseudoLikelihoodName(model.name, variant),
    settings: { ...model.settings, readout: "pseudo_likelihood", variant },
    async score(texts, { signal, prefix } = {}) {
      const likelihoods: Likelihood[] = [];
      // What stands before a text is seen and not scored.
      const before = prefix === undefined ? 0 : model.tokenise(prefix).tokens.length;
      for (const text of texts) {
        signal?.throwIfAborted();
        const read = model.tokenise(prefix === undefined ? text : `${prefix} ${text}`);
        const tokens = read.tokens.length - before;
        if (tokens <= 0) {
          throw new RangeError(`Cannot score ${JSON.stringify(text)}: it is empty`);
        }
        const queries = pseudoLikelihoodQueries(read.tokens, variant).slice(before);
        const found = await read.logProbabilities(queries);
        const logProbability = found.reduce((sum, one) => sum + one, 0);
        likelihoods.push({ logProbability, tokens, bytes: byteLength(text) });
      }
      return likelihoods;
    },
  };
}

/** Returns one scorer of a masked model per variant. */
export function pseudoLikelihoodModels(model: MaskedModel): readonly LanguageModel[] {
  return PSEUDO_LIKELIHOOD_VARIANTS.map((variant) => pseudoLikelihoodModel(model, variant));
}
