/** From sentences to certified candidates, and the choice of a balanced data set among them. */
import { attestedSentences, type CertifiedPair, certify } from "../pairs/certify.ts";
import { type DatasetItem, numberPairs } from "../pairs/dataset.ts";
import type { Rejection } from "../pairs/pair.ts";
import { type SelectionReport, selectPairs, type Stratum } from "../pairs/select.ts";
import { findAdjectives } from "./adjective.ts";
import { type Candidate, type Finding, locate, type PhenomenonRule, reject } from "./candidate.ts";
import type { Sentence } from "./dataset_tables.ts";
import { findMiddleVoice } from "./middle_voice.ts";
import { findQuirkyCase } from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { replaceToken, type Token, wordsOf } from "./tokens.ts";
import { findUmlaut } from "./umlaut.ts";

/** Longer sentences hold several clauses whose likelihood drowns the one word that differs. */
export const LONGEST_SENTENCE = 80;

/** The rule of each phenomenon. */
const RULES: Readonly<Record<Phenomenon, PhenomenonRule>> = {
  QUIRKY_CASE: findQuirkyCase,
  ADJECTIVE: findAdjectives,
  UMLAUT: findUmlaut,
  MIDDLE_VOICE: findMiddleVoice,
};

/** Who thought of a change. Whoever it was, the same rules and checks decide. */
interface Proposer {
  /** `rules` or a model's name. */
  readonly name: string;
  /** SHA-256 (hex) of the template the model was asked with; empty for rules. */
  readonly promptSha256: string;
}

/** The rules' own finds. */
export const RULES_ALONE: Proposer = { name: "rules", promptSha256: "" };

/** What became of a candidate. */
type Certification = CertifiedPair<Phenomenon> | {
  readonly kind: "rejected";
  readonly rejection: Rejection;
};

/** The rules and checks of the study, with the saga they consult. */
export interface RuleBook {
  /** What a phenomenon's rule says of the words of a sentence; nothing of it is certified yet. */
  find(sentence: Sentence, phenomenon: Phenomenon): Finding;
  /** The checks that are the same for all phenomena, whoever proposed the candidate. */
  certify(candidate: Candidate, proposer: Proposer): Certification;
}

/** Opens the rules over all sentences of the saga. Pure; no randomness. */
export function openRuleBook(sentences: readonly Sentence[]): RuleBook {
  const texts = sentences.map(({ normalised }) => normalised);
  const attested = attestedSentences(texts);
  const windows = contextWindows(texts);
  const frequency = new Map<string, number>();
  for (const word of texts.flatMap((text) => wordsOf(text.toLowerCase()))) {
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return {
    find: (sentence, phenomenon) => RULES[phenomenon](sentence, { frequency }),
    certify({ sentence, token, replacement, ...ground }, proposer) {
      const refuse = (reason: string, detail: string): Certification => {
        const name = `${token.form}>${replacement}`;
        const rejection = reject(sentence, ground.phenomenon, name, { reason, detail });
        return { kind: "rejected", rejection };
      };
      const words = wordsOf(sentence.normalised).length;
      if (words > LONGEST_SENTENCE) return refuse("sentence_too_long", `${words} words`);
      const variant = replaceToken(sentence.normalised, token, replacement);
      if (isAttestedInContext(variant, token, replacement, windows)) {
        return refuse("variant_attested_in_context", "the saga has it between the same neighbours");
      }
      const proposal = {
        ...ground,
        source: locate(sentence),
        grammatical: sentence.normalised,
        ungrammatical: variant,
        target: token.form,
        sourceSpelling: sentence.source,
        proposedBy: proposer.name,
        promptSha256: proposer.promptSha256,
      };
      return certify(proposal, attested);
    },
  };
}

/** Words on each side that make a context, and what stands for the edge of a sentence. */
const REACH = 2;
const EDGE: readonly string[] = Array(REACH).fill("#");
const padded = (text: string) => [...EDGE, ...wordsOf(text.toLowerCase()), ...EDGE];

/** Every run of five words, edges of the sentence counted as words. */
export function contextWindows(texts: readonly string[]): ReadonlySet<string> {
  const windows = new Set<string>();
  for (const words of texts.map(padded)) {
    for (let i = REACH; i < words.length - REACH; i++) {
      windows.add(words.slice(i - REACH, i + REACH + 1).join(" "));
    }
  }
  return windows;
}

/** Whether the variant's changed word stands between the same neighbours, two a side, anywhere in the saga. */
export function isAttestedInContext(
  variant: string,
  token: Token,
  replacement: string,
  windows: ReadonlySet<string>,
): boolean {
  const before = padded(variant.slice(0, token.start)).slice(0, -REACH);
  const after = padded(variant.slice(token.start + replacement.length)).slice(REACH);
  const window = [...before.slice(-REACH), replacement.toLowerCase(), ...after.slice(0, REACH)];
  return windows.has(window.join(" "));
}

/** The prefix of the study's pair ids. */
const NORSE_PREFIX = "ON";

/** Pairs of the whole data set; of one phenomenon a quarter, a tenth less or more (requirement 2.4). */
export const TARGET_PAIRS = 500;
const TOLERANCE = 0.1;

/** Pairs of one lemma that a phenomenon takes before the others are asked to give more. */
const PER_LEMMA = 12;

/** Marks that say something of a pair but break nothing beside its phenomenon. */
const HARMLESS_MARKS: ReadonlySet<string> = new Set(["regular_in_old_norwegian"]);

/** Both directions, so that neither the longer nor the weaker ending is always the wrong one. */
const ADJECTIVE_DIRECTIONS: Stratum<Phenomenon> = {
  of: (candidate) => candidate.pair.errorType,
  shares: { strong_to_weak: 0.6, weak_to_strong: 0.4 },
};

/** Everything the rules found and the shared checks let pass, and everything refused. */
export interface Candidates {
  readonly certified: readonly CertifiedPair<Phenomenon>[];
  readonly rejections: readonly Rejection[];
}

export interface Dataset {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Refused candidates, and certified ones that the quota had no room for (`not_selected`). */
  readonly rejections: readonly Rejection[];
  readonly report: Readonly<Record<Phenomenon, SelectionReport>>;
}

/** Runs every rule over every sentence and certifies what they propose. Pure; no randomness. */
export function findCandidates(
  sentences: readonly Sentence[],
  rules: RuleBook = openRuleBook(sentences),
): Candidates {
  const certified: CertifiedPair<Phenomenon>[] = [];
  const rejections: Rejection[] = [];
  for (const sentence of sentences) {
    for (const finding of PHENOMENA.map((phenomenon) => rules.find(sentence, phenomenon))) {
      rejections.push(...finding.rejections);
      for (const candidate of finding.candidates) {
        const result = rules.certify(candidate, RULES_ALONE);
        if (result.kind === "certified") certified.push(result);
        else rejections.push(result.rejection);
      }
    }
  }
  return { certified, rejections };
}

/**
 * The data set: certified candidates, of which the quota is chosen as diverse as the text allows;
 * what a model proposed comes first, and what only the rules found fills up.
 * What one phenomenon cannot give without more than 12 pairs of a lemma, the others make up in
 * equal parts; none goes further than a tenth from its share. The same candidates and seed give the
 * same data set.
 */
export function chooseDataset(
  { certified, rejections }: Candidates,
  seed: number,
): Dataset {
  const { chosen, report } = selectPairs(certified, {
    quota: quotas(certified, TARGET_PAIRS),
    seed,
    perLemma: PER_LEMMA,
    strata: { ADJECTIVE: ADJECTIVE_DIRECTIONS },
    turn: ({ certificate }) => certificate.proposedBy === RULES_ALONE.name ? 1 : 0,
    penalty: ({ certificate }) =>
      certificate.marks.some((mark) => !HARMLESS_MARKS.has(mark)) ? 1 : 0,
  });
  const kept = new Set(chosen);
  const surplus = certified.filter((candidate) => !kept.has(candidate)).map(notSelected);
  return {
    items: numberPairs(NORSE_PREFIX, chosen),
    rejections: [...rejections, ...surplus],
    report,
  };
}

/**
 * Pairs wanted of each phenomenon, by what its lemmas can give.
 * @throws RangeError for a target that leaves no whole number within a tenth of its quarter.
 */
export function quotas(
  certified: readonly CertifiedPair<Phenomenon>[],
  target: number,
): Readonly<Record<Phenomenon, number>> {
  const share = target / PHENOMENA.length;
  const lowest = Math.ceil(share * (1 - TOLERANCE));
  const highest = Math.floor(share * (1 + TOLERANCE));
  if (lowest > highest) {
    throw new RangeError(`Cannot share ${target} pairs out evenly: ask for a multiple of 4.`);
  }
  const parts = PHENOMENA.map((name) => {
    const room = Math.min(highest, Math.max(lowest, supply(certified, name)));
    return { name, room, wanted: Math.min(room, Math.floor(share)) };
  });
  let missing = target - parts.reduce((sum, { wanted }) => sum + wanted, 0);
  while (missing > 0 && parts.some(({ wanted, room }) => wanted < room)) {
    for (const part of parts) {
      if (missing === 0 || part.wanted === part.room) continue;
      part.wanted++;
      missing--;
    }
  }
  const entries = parts.map(({ name, wanted }) => [name, wanted] as const);
  return Object.fromEntries(entries) as Record<Phenomenon, number>;
}

/** Candidates of a phenomenon, no lemma counted more often than it may be taken. */
export function supply(certified: readonly CertifiedPair<Phenomenon>[], name: Phenomenon): number {
  const lemmas = new Map<string, number>();
  for (const { pair, certificate } of certified) {
    if (pair.phenomenon !== name) continue;
    lemmas.set(certificate.lemma, (lemmas.get(certificate.lemma) ?? 0) + 1);
  }
  return [...lemmas.values()].reduce((sum, n) => sum + Math.min(n, PER_LEMMA), 0);
}

function notSelected({ pair, certificate }: CertifiedPair<Phenomenon>): Rejection {
  return {
    source: certificate.source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: "not_selected",
    detail: `certified (${certificate.lemma}), but the quota was met by more diverse pairs`,
  };
}
