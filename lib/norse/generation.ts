import type { CertifiedPair } from "../pairs/certify.ts";
import { type DatasetItem, numberPairs } from "../pairs/number_pairs.ts";
import type { Rejection } from "../pairs/pair.ts";
import { type SelectionReport, selectPairs, type Stratum } from "../pairs/selection.ts";
import { PHENOMENA, type Phenomenon } from "./candidate.ts";
import { openRuleBook, type RuleBook, RULES_ALONE } from "./rule_book.ts";
import type { Sentence } from "./sentence.ts";

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
    for (const phenomenon of PHENOMENA) {
      const finding = rules.find(sentence, phenomenon);
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

export interface GenerationOptions {
  readonly seed: number;
  /** Pairs wanted in all, in equal shares; 500 unless told. */
  readonly target?: number;
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
  { seed, target = TARGET_PAIRS }: GenerationOptions,
): Dataset {
  const { chosen, report } = selectPairs(certified, {
    quota: quotas(certified, target),
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
