/** From sentences to certified candidates, and the choice of a balanced data set among them. */
import { attestedSentences, type CertifiedPair, certify } from "../pairs/certify.ts";
import { numberPairs } from "../pairs/dataset.ts";
import type { Rejection } from "../pairs/pair.ts";
import { selectPairs } from "../pairs/select.ts";
import { findAdjectives } from "./adjective.ts";
import {
  type Candidate,
  locate,
  type PhenomenonRule,
  reject,
  replaceToken,
  wordsOf,
} from "./candidate.ts";
import type { Sentence } from "./dataset.ts";
import { findMiddleVoice } from "./middle_voice.ts";
import { findQuirkyCase } from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
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

/** Who thought of a change: `rules`, or a model with the SHA-256 (hex) of the template it was asked with. */
type Proposer = Pick<CertifiedPair["certificate"], "proposedBy" | "promptSha256">;

/** The rules' own finds. */
export const RULES_ALONE: Proposer = { proposedBy: "rules", promptSha256: "" };

/** A certified pair of the study; it has no number yet. */
export type NorsePair = CertifiedPair<Phenomenon>;

/** The rules and checks of the study, with the saga they consult. */
export type RuleBook = ReturnType<typeof openRuleBook>;

/** Opens the rules over all sentences of the saga. Pure; no randomness. */
export function openRuleBook(sentences: readonly Sentence[]) {
  const texts = sentences.map(({ normalised }) => normalised);
  const attested = attestedSentences(texts);
  const windows = new Set(texts.flatMap(contextWindows));
  const forms = new Set(texts.flatMap((text) => wordsOf(text.toLowerCase())));
  return {
    /** What a phenomenon's rule says of the words of a sentence; nothing of it is certified yet. */
    find: (sentence: Sentence, phenomenon: Phenomenon) => RULES[phenomenon](sentence, forms),
    /** The checks that are the same for all phenomena, whoever proposed the candidate. */
    certify({ sentence, token, replacement, ...ground }: Candidate, proposer: Proposer) {
      const refuse = (reason: string, detail: string) => {
        const name = `${token.form}>${replacement}`;
        const rejection = reject(sentence, ground.phenomenon, name, { reason, detail });
        return { kind: "rejected", rejection } as const;
      };
      const words = wordsOf(sentence.normalised).length;
      if (words > LONGEST_SENTENCE) return refuse("sentence_too_long", `${words} words`);
      const variant = replaceToken(sentence.normalised, token, replacement);
      const place = wordsOf(variant.slice(0, token.start)).length;
      if (windows.has(contextWindows(variant)[place]!)) {
        return refuse("variant_attested_in_context", "the saga has it between the same neighbours");
      }
      const proposal = {
        ...ground,
        ...proposer,
        source: locate(sentence),
        grammatical: sentence.normalised,
        ungrammatical: variant,
        target: token.form,
        sourceSpelling: sentence.source,
      };
      return certify(proposal, attested);
    },
  };
}

/** Each word with its neighbours, two a side; the edges of the sentence count as words. */
function contextWindows(text: string): readonly string[] {
  const words = wordsOf(text.toLowerCase());
  const padded = ["#", "#", ...words, "#", "#"];
  return words.map((_, i) => padded.slice(i, i + 5).join(" "));
}

/** Everything the rules found and the shared checks let pass, and everything refused. */
export interface Candidates {
  readonly certified: readonly NorsePair[];
  readonly rejections: readonly Rejection[];
}

/** Runs every rule over every sentence and certifies what they propose. Pure; no randomness. */
export function findCandidates(
  sentences: readonly Sentence[],
  rules: RuleBook = openRuleBook(sentences),
): Candidates {
  const certified: NorsePair[] = [];
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

/** Pairs of the whole data set; of one phenomenon a quarter, a tenth less or more (requirement 2.4). */
const TARGET_PAIRS = 500;
const TOLERANCE = 0.1;

/** Pairs of one lemma that a phenomenon takes before the others are asked to give more. */
const PER_LEMMA = 12;

/** Marks that say something of a pair but break nothing beside its phenomenon. */
const HARMLESS_MARKS: ReadonlySet<string> = new Set(["regular_in_old_norwegian"]);

/** Both directions, so that neither the longer nor the weaker ending is always the wrong one. */
const ADJECTIVE_DIRECTIONS = {
  of: ({ pair }: NorsePair) => pair.errorType,
  shares: { strong_to_weak: 0.6, weak_to_strong: 0.4 },
};

/**
 * The data set: certified candidates, of which the quota is chosen as diverse as the text allows;
 * what a model proposed comes first, and what only the rules found fills up. Rejections are refused
 * candidates, and certified ones that the quota had no room for (`not_selected`).
 * What one phenomenon cannot give without more than 12 pairs of a lemma, the others make up in
 * equal parts; none goes further than a tenth from its share. The same candidates and seed give the
 * same data set.
 */
export function chooseDataset({ certified, rejections }: Candidates, seed: number) {
  const { chosen, report } = selectPairs(certified, {
    quota: quotas(certified),
    seed,
    perLemma: PER_LEMMA,
    strata: { ADJECTIVE: ADJECTIVE_DIRECTIONS },
    turn: ({ certificate }) => certificate.proposedBy === RULES_ALONE.proposedBy ? 1 : 0,
    penalty: ({ certificate }) =>
      certificate.marks.some((mark) => !HARMLESS_MARKS.has(mark)) ? 1 : 0,
  });
  const kept = new Set(chosen);
  const surplus = certified.filter((candidate) => !kept.has(candidate)).map((
    { pair, certificate: { source, lemma } },
  ): Rejection => ({
    source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: "not_selected",
    detail: `certified (${lemma}), but the quota was met by more diverse pairs`,
  }));
  return { items: numberPairs("ON", chosen), rejections: [...rejections, ...surplus], report };
}

/** Pairs wanted of each phenomenon, by what its lemmas can give. */
export function quotas(certified: readonly NorsePair[]): Readonly<Record<Phenomenon, number>> {
  const share = TARGET_PAIRS / PHENOMENA.length;
  const lowest = Math.ceil(share * (1 - TOLERANCE));
  const highest = Math.floor(share * (1 + TOLERANCE));
  const parts = PHENOMENA.map((name) => {
    const room = Math.min(highest, Math.max(lowest, supply(certified, name)));
    return { name, room, wanted: Math.min(room, share) };
  });
  let missing = TARGET_PAIRS - parts.reduce((sum, { wanted }) => sum + wanted, 0);
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
function supply(certified: readonly NorsePair[], name: Phenomenon): number {
  const own = certified.filter(({ pair }) => pair.phenomenon === name);
  return [...Map.groupBy(own, ({ certificate }) => certificate.lemma).values()]
    .reduce((sum, { length }) => sum + Math.min(length, PER_LEMMA), 0);
}
