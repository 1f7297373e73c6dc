/** A minimal pair: its parts, its identifier, and in what its two sentences differ. */

/** One item of a contrast set: two sentences that differ in exactly one token. */
export interface MinimalPair<Phenomenon extends string = string> {
  /** `{PREFIX}_{PHENOMENON}_{NNN}`, e.g. `ON_QUIRKY_CASE_001`. */
  readonly id: string;
  readonly phenomenon: Phenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  /** The token of the grammatical member that was changed, without its punctuation. */
  readonly target: string;
  /** What was done to it, e.g. `dative_to_nominative`. */
  readonly errorType: string;
  readonly context?: string;
}

/** Where a sentence stands in its source. */
interface SourceLocation {
  readonly text: string;
  readonly chapter: number;
  /** 1-based position of the sentence in its chapter, exclusions counted. */
  readonly sentence: number;
}

/** Why a pair is believed valid: every claim that was checked, and on what ground. */
export interface Certificate {
  readonly pairId: string;
  readonly source: SourceLocation;
  /** Identifier of the linguistic fact that licensed the pair, e.g. `QC_VERB_LIKA`. */
  readonly rule: string;
  /** Lemma of the lexical item that is tested: the cluster unit of every interval. */
  readonly lemma: string;
  /** Frame in which it is tested, e.g. `passive`, `attributive_indefinite`; selection spreads over it. */
  readonly construction: string;
  /** Paradigm cell of the grammatical form, e.g. `dat.sg.masc.3`. */
  readonly cellFrom: string;
  /** Paradigm cell of the ungrammatical form. */
  readonly cellTo: string;
  /** The checks that passed, in the order taken. */
  readonly checks: readonly string[];
  /** What the pair tests besides its phenomenon, e.g. `verb_person_clash`; empty when nothing. */
  readonly marks: readonly string[];
  /** Why the ungrammatical member is wrong, in plain English, one sentence. */
  readonly explanation: string;
  /** The sentence in the edition's own spelling. */
  readonly sourceSpelling: string;
  /** Who proposed it: `rules` or a model's name. */
  readonly proposedBy: string;
  /** SHA-256 (hex) of the template a model was asked with; empty for rules. */
  readonly promptSha256: string;
  /** SHA-256 (hex) over phenomenon, grammatical, ungrammatical and rule. */
  readonly sha256: string;
}

/** A candidate that was looked at and not certified. */
export interface Rejection<Reason extends string = string> {
  readonly source: SourceLocation;
  readonly phenomenon: string;
  /** The token, and where one was made, the form proposed for it: `hann>hann`. */
  readonly candidate: string;
  readonly reason: Reason;
  /** One line more, where the reason alone does not say it. */
  readonly detail: string;
}

/** A pair's identifier taken apart. */
interface PairId {
  /** Language of the data set, e.g. `ON`. */
  readonly prefix: string;
  /** Phenomenon in capitals, e.g. `QUIRKY_CASE`. */
  readonly phenomenon: string;
  /** 1 … 999, unique within its phenomenon. */
  readonly number: number;
}

/** `{PREFIX}_{PHENOMENON}_{NNN}`; the prefix holds no underscore, so the split is unambiguous. */
export const PAIR_ID_PATTERN = /^([A-Z][A-Z0-9]*)_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_(\d{3})$/;

/**
 * The identifier of the n-th pair of a phenomenon, e.g. `ON_QUIRKY_CASE_001`.
 *
 * Throws RangeError unless n is a whole number in 1 … 999, SyntaxError if prefix or phenomenon are
 * not in capitals.
 */
export function formatPairId(prefix: string, phenomenon: string, n: number): string {
  if (!Number.isInteger(n) || n < 1 || n > 999) {
    throw new RangeError(`Cannot number a pair of ${phenomenon}: ${n} is not in 1 … 999.`);
  }
  const id = `${prefix}_${phenomenon}_${String(n).padStart(3, "0")}`;
  const parsed = matchPairId(id);
  if (parsed?.prefix !== prefix || parsed.phenomenon !== phenomenon) {
    throw new SyntaxError(
      `Cannot name a pair: prefix "${prefix}" or phenomenon "${phenomenon}" is not in capitals.`,
    );
  }
  return id;
}

/** Takes an identifier apart. Throws SyntaxError if it does not follow the pattern. */
export function parsePairId(id: string): PairId {
  const parsed = matchPairId(id);
  if (!parsed) {
    throw new SyntaxError(
      `Cannot read pair id "${id}": it is not PREFIX_PHENOMENON_NNN in capitals and three digits.`,
    );
  }
  return parsed;
}

function matchPairId(id: string): PairId | undefined {
  const [, prefix, phenomenon, digits] = PAIR_ID_PATTERN.exec(id) ?? [];
  if (prefix === undefined || phenomenon === undefined || digits === "000") return undefined;
  return { prefix, phenomenon, number: Number(digits) };
}

/** In what two sentences differ, token by token. */
type SentenceDifference =
  | { readonly kind: "none" }
  | {
    readonly kind: "one_token";
    /** 0-based position among the whitespace tokens. */
    readonly index: number;
    /** The token of the first sentence, punctuation stripped. */
    readonly from: string;
    /** The token of the second sentence, punctuation stripped. */
    readonly to: string;
  }
  /** One token differs, but in its punctuation, or in nothing that is a word. */
  | { readonly kind: "punctuation"; readonly index: number }
  | { readonly kind: "several_tokens"; readonly indices: readonly number[] }
  | { readonly kind: "token_count"; readonly from: number; readonly to: number };

// Vowel signs, virama, anusvāra and visarga are marks (\p{M}); joiners hold conjuncts together.
const WORD = String.raw`\p{L}\p{M}\p{N}\u200c\u200d`;
const EDGES = new RegExp(`^([^${WORD}]*)(.*?)([^${WORD}]*)$`, "su");

/** A token taken apart; the core is empty where it is all punctuation. */
interface TokenParts {
  readonly before: string;
  readonly core: string;
  readonly after: string;
}

/** Separates a token from the punctuation at its edges; what stands inside it stays. */
export function stripPunctuation(token: string): TokenParts {
  const [, before = "", core = "", after = ""] = EDGES.exec(token) ?? [];
  return { before, core, after };
}

/** The tokens of a sentence: what white space separates, punctuation attached. */
export function whitespaceTokens(sentence: string): readonly string[] {
  return sentence.split(/\s+/u).filter((token) => token !== "");
}

/**
 * The one token in which two sentences differ, or why there is not exactly one. Compared are whole
 * tokens in NFC, never parts of a grapheme: a lost vowel sign changes its word, and an ö written
 * with one code point or two is the same letter.
 */
export function sentenceDifference(first: string, second: string): SentenceDifference {
  const from = whitespaceTokens(first.normalize("NFC"));
  const to = whitespaceTokens(second.normalize("NFC"));
  if (from.length !== to.length) return { kind: "token_count", from: from.length, to: to.length };
  const indices = from.flatMap((token, index) => token === to[index] ? [] : [index]);
  const index = indices[0];
  if (index === undefined) return { kind: "none" };
  if (indices.length > 1) return { kind: "several_tokens", indices };
  const left = stripPunctuation(from[index] ?? "");
  const right = stripPunctuation(to[index] ?? "");
  const samePunctuation = left.before === right.before && left.after === right.after;
  if (!samePunctuation || left.core === "" || right.core === "") {
    return { kind: "punctuation", index };
  }
  return { kind: "one_token", index, from: left.core, to: right.core };
}

/** Says what a difference is, for a message. */
export function describeDifference(difference: SentenceDifference): string {
  switch (difference.kind) {
    case "none":
      return "the sentences are the same";
    case "one_token":
      return `token ${difference.index + 1} differs: ${difference.from} > ${difference.to}`;
    case "punctuation":
      return `token ${difference.index + 1} differs in punctuation`;
    case "several_tokens":
      return `${difference.indices.length} tokens differ: ` +
        difference.indices.map((index) => index + 1).join(", ");
    case "token_count":
      return `one sentence has ${difference.from} tokens, the other ${difference.to}`;
  }
}

/**
 * The form that stands in the target's place in the ungrammatical sentence.
 * Throws SyntaxError where the two sentences do not differ in exactly one token.
 */
export function variantForm(
  pair: { readonly grammatical: string; readonly ungrammatical: string },
): string {
  const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
  if (difference.kind === "one_token") return difference.to;
  throw new SyntaxError(
    `Cannot name the variant of "${pair.grammatical}": ${describeDifference(difference)}.`,
  );
}
