/** Minimal pairs: their type, their identifiers, and the difference between the two sentences. */

/** One item of a contrast set: two sentences that differ in exactly one token. */
export interface MinimalPair<Phenomenon extends string = string> {
  /** `{PREFIX}_{PHENOMENON}_{NNN}`, e.g. `ON_QUIRKY_CASE_001`. */
  readonly id: string;
  readonly phenomenon: Phenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  /** Changed token of the grammatical member, without punctuation. */
  readonly target: string;
  /** Kind of the change, e.g. `dative_to_nominative`. */
  readonly errorType: string;
  readonly context?: string;
  /** Text before both members, joined by a space. Models condition on it and do not score it. */
  readonly prefix?: string;
  /**
   * Beginnings of both members up to and including the end of a word.
   *
   * They are scored instead of the sentences, in one pass with them (`regionItems`).
   */
  readonly through?: Readonly<Record<"grammatical" | "ungrammatical", string>>;
}

export interface SourceLocation {
  readonly text: string;
  readonly chapter: number;
  /** 1-based position of the sentence in its chapter, including excluded sentences. */
  readonly sentence: number;
}

/** Evidence that a pair is valid: a row of `certificates.csv`. */
export interface Certificate {
  readonly pairId: string;
  readonly source: SourceLocation;
  /** Identifier of the linguistic fact that licensed the pair, e.g. `QC_VERB_LIKA`. */
  readonly rule: string;
  /** Lemma of the tested word. Intervals are clustered by it. */
  readonly lemma: string;
  /** Frame in which the word is tested, e.g. `passive`. Selection diversifies over frames. */
  readonly construction: string;
  /**
   * Paradigm cell of the grammatical form, e.g. `dat.sg.masc.3`; `cellTo` is that of the variant.
   */
  readonly cellFrom: string;
  readonly cellTo: string;
  readonly checks: readonly string[];
  /** Further properties of the variant, e.g. `verb_person_clash`; may be empty. */
  readonly marks: readonly string[];
  /** Reason why the ungrammatical member is wrong, in one English sentence. */
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
  /** Candidate token, with the proposed form if there is one: `hann>hann`. */
  readonly candidate: string;
  readonly reason: Reason;
  /** Details of the reason in one line; may be empty. */
  readonly detail: string;
}

/**
 * `{PREFIX}_{PHENOMENON}_{NNN}`. The prefix has no underscore, so that the parts are unambiguous.
 */
const PAIR_ID_PATTERN = /^([A-Z][A-Z0-9]*)_([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_(\d{3})$/;

/**
 * Formats the identifier of a phenomenon's n-th pair, e.g. `ON_QUIRKY_CASE_001`.
 * @throws {RangeError} unless n is 1 … 999, {SyntaxError} if prefix or phenomenon are not in
 * capitals.
 */
export function formatPairId(prefix: string, phenomenon: string, n: number): string {
  if (!Number.isInteger(n) || n < 1 || n > 999) {
    throw new RangeError(`Cannot number a pair of ${phenomenon}: ${n} is not in 1 … 999.`);
  }
  const id = `${prefix}_${phenomenon}_${String(n).padStart(3, "0")}`;
  if (parsePairId(id).prefix === prefix) return id;
  throw new SyntaxError(`Cannot name a pair: its prefix "${prefix}" holds an underscore.`);
}

/** Parses an identifier into its parts. @throws {SyntaxError} if it does not follow the pattern. */
export function parsePairId(id: string) {
  const [, prefix, phenomenon, digits] = PAIR_ID_PATTERN.exec(id) ?? [];
  if (prefix !== undefined && phenomenon !== undefined && digits !== "000") {
    return { prefix, phenomenon, number: Number(digits) };
  }
  throw new SyntaxError(
    `Cannot read pair id "${id}": it is not PREFIX_PHENOMENON_NNN in capitals and three digits.`,
  );
}

/** Difference between two sentences; `words` describes it in messages. */
type SentenceDifference =
  | {
    readonly kind: "one_token";
    readonly words: string;
    /** 0-based position among the whitespace tokens. */
    readonly index: number;
    /**
     * Differing tokens of the first sentence (`from`) and the second (`to`), without punctuation.
     */
    readonly from: string;
    readonly to: string;
  }
  | {
    /**
     * Kind of difference. `punctuation`: the one differing token differs in punctuation or is no
     * word.
     */
    readonly kind: "none" | "punctuation" | "several_tokens" | "token_count";
    readonly words: string;
  };

// Vowel signs, virama, anusvāra and visarga are marks (\p{M}); joiners hold conjuncts together.
const WORD = String.raw`\p{L}\p{M}\p{N}\u200c\u200d`;
const EDGES = new RegExp(`^([^${WORD}]*)(.*?)([^${WORD}]*)$`, "su");

/** Splits a token into its core and the punctuation around it. The core may be empty. */
export function stripPunctuation(token: string) {
  const [, before = "", core = "", after = ""] = EDGES.exec(token) ?? [];
  return { before, core, after };
}

/** Splits a sentence at white space; punctuation stays attached. */
export function whitespaceTokens(sentence: string): readonly string[] {
  return sentence.split(/\s+/u).filter((token) => token !== "");
}

/**
 * Finds the one token in which two sentences differ, or the reason why there is none.
 *
 * Whole tokens are compared after Unicode normalisation (NFC). A lost vowel sign therefore changes
 * its word, and both encodings of ö are the same letter.
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
 * Splits a pair around its differing word, as {@link differingRegion} does.
 * @throws {SyntaxError} where the sentences do not differ in exactly one token.
 */
export function aroundChange({ grammatical, ungrammatical }: SentencePair) {
  const { kind, words } = sentenceDifference(grammatical, ungrammatical);
  if (kind === "one_token") return differingRegion(grammatical, ungrammatical);
  throw new SyntaxError(`Cannot find the changed word of "${grammatical}": ${words}.`);
}

/** Returns the form that replaces the target. Throws as {@link aroundChange} does. */
export const variantForm = (pair: SentencePair): string => aroundChange(pair).to;

/**
 * Finds the region in which two sentences differ.
 *
 * It extends from the first to the last differing token, without punctuation that both share at its
 * edges. It is empty in a sentence that only lacks words of the other.
 * @returns `before` and `after`: text of the first sentence around the region; `from` and `to`: the
 * region in each sentence; `index`: the number of preceding tokens
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
