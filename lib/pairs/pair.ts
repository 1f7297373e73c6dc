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
  /** Kind of the change, e.g. `dative_to_nominative`. */
  readonly errorType: string;
  readonly context?: string;
  /** Text before both members, with a space after it: conditioned upon, not scored. */
  readonly prefix?: string;
  /**
   * Beginnings of both members that end with a word and are scored with the word's end.
   *
   * They are scored instead of the sentences, in one pass with them (`regionItems`).
   */
  readonly through?: Readonly<Record<"grammatical" | "ungrammatical", string>>;
}

export interface SourceLocation {
  readonly text: string;
  readonly chapter: number;
  /** 1-based position of the sentence in its chapter, exclusions counted. */
  readonly sentence: number;
}

/** Grounds on which a pair is believed valid: every claim checked; a row of `certificates.csv`. */
export interface Certificate {
  readonly pairId: string;
  readonly source: SourceLocation;
  /** Identifier of the linguistic fact that licensed the pair, e.g. `QC_VERB_LIKA`. */
  readonly rule: string;
  /** Lemma of the lexical item that is tested: the cluster unit of every interval. */
  readonly lemma: string;
  /** Frame in which it is tested, e.g. `passive`; selection spreads over it. */
  readonly construction: string;
  /** Paradigm cells of the grammatical form, e.g. `dat.sg.masc.3`, and of the ungrammatical one. */
  readonly cellFrom: string;
  readonly cellTo: string;
  readonly checks: readonly string[];
  /** Properties tested besides the phenomenon, e.g. `verb_person_clash`; may be empty. */
  readonly marks: readonly string[];
  /** Reason why the ungrammatical member is wrong, in plain English, one sentence. */
  readonly explanation: string;
  readonly sourceSpelling: string;
  /** Proposer: `rules`, or a model's name and the SHA-256 (hex) of its prompt template. */
  readonly proposedBy: string;
  readonly promptSha256: string;
  /** SHA-256 (hex) over phenomenon, grammatical, ungrammatical and rule. */
  readonly sha256: string;
}

export interface Rejection<Reason extends string = string> {
  readonly source: SourceLocation;
  readonly phenomenon: string;
  /** The token, and where one was made, the form proposed for it: `hann>hann`. */
  readonly candidate: string;
  readonly reason: Reason;
  /** One line more, where the reason alone does not say it. */
  readonly detail: string;
}

/** `{PREFIX}_{PHENOMENON}_{NNN}`; the prefix holds no underscore, so the split is unambiguous. */
const PAIR_ID_PATTERN = /^([A-Z][A-Z0-9]*)_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_(\d{3})$/;

/**
 * The identifier of the n-th pair of a phenomenon, e.g. `ON_QUIRKY_CASE_001`.
 * @throws {RangeError} unless n is 1 … 999, SyntaxError if prefix or phenomenon are not in capitals.
 */
export function formatPairId(prefix: string, phenomenon: string, n: number): string {
  if (!Number.isInteger(n) || n < 1 || n > 999) {
    throw new RangeError(`Cannot number a pair of ${phenomenon}: ${n} is not in 1 … 999.`);
  }
  const id = `${prefix}_${phenomenon}_${String(n).padStart(3, "0")}`;
  if (parsePairId(id).prefix === prefix) return id;
  throw new SyntaxError(`Cannot name a pair: its prefix "${prefix}" holds an underscore.`);
}

/** Takes an identifier apart. @throws {SyntaxError} if it does not follow the pattern. */
export function parsePairId(id: string) {
  const [, prefix, phenomenon, digits] = PAIR_ID_PATTERN.exec(id) ?? [];
  if (prefix !== undefined && phenomenon !== undefined && digits !== "000") {
    return { prefix, phenomenon, number: Number(digits) };
  }
  throw new SyntaxError(
    `Cannot read pair id "${id}": it is not PREFIX_PHENOMENON_NNN in capitals and three digits.`,
  );
}

/** Difference of two sentences; `words` describes it for a message. */
type SentenceDifference =
  | {
    readonly kind: "one_token";
    readonly words: string;
    /** 0-based position among the whitespace tokens. */
    readonly index: number;
    /** Differing token of the first sentence and of the second, punctuation stripped. */
    readonly from: string;
    readonly to: string;
  }
  | {
    /** `punctuation`: one token differs, but in its punctuation, or in nothing that is a word. */
    readonly kind: "none" | "punctuation" | "several_tokens" | "token_count";
    readonly words: string;
  };

// Vowel signs, virama, anusvāra and visarga are marks (\p{M}); joiners hold conjuncts together.
const WORD = String.raw`\p{L}\p{M}\p{N}\u200c\u200d`;
const EDGES = new RegExp(`^([^${WORD}]*)(.*?)([^${WORD}]*)$`, "su");

/** Separates a token from the punctuation at its edges; the core is empty where it is nothing else. */
export function stripPunctuation(token: string) {
  const [, before = "", core = "", after = ""] = EDGES.exec(token) ?? [];
  return { before, core, after };
}

/** The tokens of a sentence: what white space separates, punctuation attached. */
export function whitespaceTokens(sentence: string): readonly string[] {
  return sentence.split(/\s+/u).filter((token) => token !== "");
}

/**
 * Finds the one token in which two sentences differ, or the reason why there is no such one.
 *
 * Whole tokens in NFC are compared, never parts of a grapheme: a lost vowel sign changes its word,
 * and an ö written with one code point or two is the same letter.
 */
export function sentenceDifference(first: string, second: string): SentenceDifference {
  const from = whitespaceTokens(first.normalize("NFC"));
  const to = whitespaceTokens(second.normalize("NFC"));
  if (from.length !== to.length) {
    const words = `one sentence has ${from.length} tokens, the other ${to.length}`;
    return { kind: "token_count", words };
  }
  const [index, ...more] = [...from.keys()].filter((i) => from[i] !== to[i]);
  if (index === undefined) return { kind: "none", words: "the sentences are the same" };
  if (more.length > 0) {
    const places = [index, ...more].map((i) => i + 1).join(", ");
    return { kind: "several_tokens", words: `${1 + more.length} tokens differ: ${places}` };
  }
  const [left, right] = [stripPunctuation(from[index]!), stripPunctuation(to[index]!)];
  const words = `token ${index + 1} differs`;
  const samePunctuation = left.before === right.before && left.after === right.after;
  if (!samePunctuation || left.core === "" || right.core === "") {
    return { kind: "punctuation", words: `${words} in punctuation` };
  }
  const change = { from: left.core, to: right.core };
  return { kind: "one_token", words: `${words}: ${left.core} > ${right.core}`, index, ...change };
}

type SentencePair = Pick<MinimalPair, "grammatical" | "ungrammatical">;

/**
 * A pair around the word that differs, as {@link differingRegion} gives it.
 * @throws {SyntaxError} where the two sentences do not differ in exactly one token.
 */
export function aroundChange({ grammatical, ungrammatical }: SentencePair) {
  const { kind, words } = sentenceDifference(grammatical, ungrammatical);
  if (kind === "one_token") return differingRegion(grammatical, ungrammatical);
  throw new SyntaxError(`Cannot find the changed word of "${grammatical}": ${words}.`);
}

/** Form that replaces the target in the ungrammatical sentence. Throws as {@link aroundChange}. */
export const variantForm = (pair: SentencePair): string => aroundChange(pair).to;

/**
 * Finds the region in which two sentences differ.
 *
 * It reaches from the first to the last token that is not the same in both, without the punctuation
 * that both have at its edges. Empty in the sentence that lacks the words of the other.
 * @returns the first sentence's text `before` it, the region in either sentence (`from`, `to`), the
 * first's text `after` it, and the number of preceding tokens
 */
export function differingRegion(first: string, second: string) {
  const tokensOf = (sentence: string) => [...sentence.matchAll(/\S+/gu)];
  const [tokens, others] = [tokensOf(first), tokensOf(second)];
  const isSame = (at: number, other: number) =>
    tokens.at(at)?.[0].normalize("NFC") === others.at(other)?.[0].normalize("NFC");
  const fewest = Math.min(tokens.length, others.length);
  let [index, end] = [0, 0];
  while (index < fewest && isSame(index, index)) index++;
  while (end < fewest - index && isSame(-1 - end, -1 - end)) end++;
  const cut = (own: readonly RegExpExecArray[], sentence: string) => {
    const [begin, last] = [own[index], own.at(-1 - end)];
    if (!begin || !last || own.length === index + end) return "";
    return sentence.slice(begin.index, last.index + last[0].length);
  };
  const [left, right] = [cut(tokens, first), cut(others, second)];
  const [own, other] = [stripPunctuation(left), stripPunctuation(right)];
  const isAlike = own.before === other.before && own.after === other.after &&
    own.core !== "" && other.core !== "";
  const [from, to] = isAlike ? [own.core, other.core] : [left, right];
  const start = (tokens[index]?.index ?? first.length) + (isAlike ? own.before.length : 0);
  return {
    index,
    before: first.slice(0, start),
    from,
    to,
    after: first.slice(start + from.length),
  };
}
