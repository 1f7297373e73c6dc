/** Language-independent checks that certify a proposed pair, or reject it with a reason. */
import { sha256Hex } from "../files/atomic.ts";
import {
  type Certificate,
  type MinimalPair,
  type Rejection,
  sentenceDifference,
  stripPunctuation,
} from "./pair.ts";

/**
 * A pair proposed by a study's rule or a model, with its evidence. Its `checks` are those of the
 * rule; the shared ones are added on certification.
 */
export interface Proposal<Phenomenon extends string = string>
  extends Omit<MinimalPair<Phenomenon>, "id">, Omit<Certificate, "pairId" | "sha256"> {
  /** Tier of preference in selection: 1 clear, 2 defensible, 3 weak but valid. */
  readonly tier: 1 | 2 | 3;
}

/** A certified pair without a number. */
export interface CertifiedPair<Phenomenon extends string = string> {
  readonly kind: "certified";
  readonly pair: Omit<MinimalPair<Phenomenon>, "id">;
  readonly certificate: Omit<Certificate, "pairId">;
  readonly tier: 1 | 2 | 3;
  /** Index of the changed token among whitespace tokens, from 0. */
  readonly tokenIndex: number;
}

export type SharedRejectionReason =
  | "missing_field"
  | "same_sentence"
  | "not_one_token"
  | "punctuation_changed"
  | "wrong_target"
  | "capital_changed"
  | "damaged_text"
  | "variant_attested";

interface RejectedPair {
  readonly kind: "rejected";
  readonly rejection: Rejection<SharedRejectionReason>;
}

/**
 * Test for attestation of a sentence in the corpus, for example a Set; see {@link
 * attestedSentences}.
 */
export interface Attested {
  has(sentence: string): boolean;
}

/** Indexes sentences by their words, ignoring capitals, punctuation and spacing. */
export function attestedSentences(sentences: Iterable<string>): Attested {
  const wordsOnly = (sentence: string) =>
    sentence.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}\u200c\u200d]+/gu)?.join(" ");
  const known = new Set(Iterator.from(sentences).map(wordsOnly));
  return { has: (sentence) => known.has(wordsOnly(sentence)) };
}

/** Names of the shared checks in order, as in certificates. */
export const SHARED_CHECKS = [
  "exactly one token differs",
  "target is the token that differs",
  "punctuation and capitals kept",
  "no damaged text",
  "variant not in the corpus",
] as const;

/**
 * Certifies a proposal by language-independent checks, or returns the reason against it.
 *
 * It does not check that the variant is wrong. That requires a grammar, which is the proposing
 * rule's task.
 */
export function certify<Phenomenon extends string>(
  proposal: Proposal<Phenomenon>,
  attested: Attested,
): CertifiedPair<Phenomenon> | RejectedPair {
  const { tier, phenomenon, grammatical, ungrammatical, target, errorType, context, ...ground } =
    proposal;
  const difference = sentenceDifference(grammatical, ungrammatical);
  const fault = faultOf(proposal, difference, attested);
  if (fault || difference.kind !== "one_token") {
    const [reason, detail] = fault ?? ["not_one_token", difference.words];
    const candidate = difference.kind === "one_token" ? `${target}>${difference.to}` : target;
    const { source } = ground;
    return { kind: "rejected", rejection: { source, phenomenon, candidate, reason, detail } };
  }
  const pair = { phenomenon, grammatical, ungrammatical, target, errorType };
  return {
    kind: "certified",
    pair: context === undefined ? pair : { ...pair, context },
    certificate: {
      ...ground,
      checks: [...ground.checks, ...SHARED_CHECKS],
      sha256: certificateHash(proposal),
    },
    tier,
    tokenIndex: difference.index,
  };
}

/** A rule's one-word change: `variant` replaces `target`. */
type Exchange =
  & Pick<Proposal, "source" | "phenomenon" | "grammatical" | "target" | "lemma">
  & Pick<Proposal, "rule" | "cellFrom" | "cellTo" | "explanation">
  & { readonly variant: string };

/**
 * Makes a proposal by replacing the first token equal to `target`. Without such a token the
 * sentence stays unchanged.
 */
export function exchange({ variant, ...ground }: Exchange): Proposal {
  const { grammatical, target, cellFrom, cellTo } = ground;
  let isChanged = false;
  const ungrammatical = grammatical.replace(/\S+/gu, (token) => {
    const { before, core, after } = stripPunctuation(token);
    if (isChanged || core !== target) return token;
    isChanged = true;
    return before + variant + after;
  });
  return {
    ...ground,
    ungrammatical,
    errorType: `${cellFrom}_to_${cellTo}`,
    construction: "",
    checks: [],
    marks: [],
    sourceSpelling: grammatical,
    proposedBy: "rules",
    promptSha256: "",
    tier: 1,
  };
}

/** Certifies proposals and returns all pairs and rejections, including the rules' rejections. */
export function certifyAll<Phenomenon extends string>(
  proposals: readonly (Proposal<Phenomenon> | Rejection)[],
  attested: Attested,
) {
  const certified: CertifiedPair<Phenomenon>[] = [];
  const rejections: Rejection[] = [];
  for (const proposal of proposals) {
    const verdict = "reason" in proposal
      ? { kind: "rejected", rejection: proposal } as const
      : certify(proposal, attested);
    if (verdict.kind === "certified") certified.push(verdict);
    else rejections.push(verdict.rejection);
  }
  return { certified, rejections };
}

const REQUIRED = [
  ...["phenomenon", "grammatical", "ungrammatical", "target", "errorType"] as const,
  ...["rule", "lemma", "cellFrom", "cellTo", "explanation"] as const,
];

/** Returns the first failed check, with details. */
function faultOf(
  proposal: Proposal,
  difference: ReturnType<typeof sentenceDifference>,
  attested: Attested,
): readonly [reason: SharedRejectionReason, detail: string] | undefined {
  const { grammatical, ungrammatical, target } = proposal;
  const missing = REQUIRED.find((field) => proposal[field].trim() === "");
  if (missing) return ["missing_field", `${missing} is empty`];
  const { kind, words } = difference;
  if (kind === "none") return ["same_sentence", words];
  if (kind === "punctuation") return ["punctuation_changed", words];
  if (kind !== "one_token") return ["not_one_token", words];
  const { from, to } = difference;
  if (from !== target) return ["wrong_target", `${target} is named, ${from} differs`];
  if (capitals(from) !== capitals(to)) return ["capital_changed", words];
  const damage = damageOf(grammatical) ?? damageOf(ungrammatical);
  if (damage) return ["damaged_text", damage];
  return attested.has(ungrammatical)
    ? ["variant_attested", "the corpus has this very sentence"]
    : undefined;
}

/** Describes capitalisation: of the first letter, and of the others. */
function capitals(token: string): string {
  const isCapital = (letter: string) => letter !== letter.toLowerCase();
  const [first = "", ...rest] = token;
  return `${isCapital(first)} ${rest.some(isCapital)}`;
}

/** Patterns of damaged sentences, with their meaning. */
const DAMAGE: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^\s|\s$/u, "white space at an edge"],
  [/\s\s/u, "two spaces together"],
  [/[^\S ]/u, "white space that is no plain space"],
  // A danda may stand apart from its word; a Latin stop may not.
  [/\s[.,;:!?]/u, "a space before punctuation"],
  [/\p{L}[.,;:!?]\p{L}/u, "no space after punctuation"],
  [/[\p{Cc}\p{Co}\p{Cs}\ufffd\ufeff]/u, "a character that is no text"],
  [/(?:^|[\s\p{P}])\p{M}/u, "a combining mark without its letter"],
];

function damageOf(sentence: string): string | undefined {
  if (sentence !== sentence.normalize("NFC")) return "letters not composed (NFC)";
  return DAMAGE.find(([pattern]) => pattern.test(sentence))?.[1];
}

/**
 * Returns the SHA-256 (hex) of phenomenon, grammatical, ungrammatical and rule, as a JSON array.
 */
export function certificateHash(
  content: Pick<Proposal, "phenomenon" | "grammatical" | "ungrammatical" | "rule">,
): string {
  const { phenomenon, grammatical, ungrammatical, rule } = content;
  return sha256Hex(JSON.stringify([phenomenon, grammatical, ungrammatical, rule]));
}
