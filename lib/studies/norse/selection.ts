/** Certification of candidates, and selection of a balanced data set. */
import { attestedSentences, type CertifiedPair, certify } from "../../pairs/certify.ts";
import { numberPairs } from "../../pairs/dataset.ts";
import type { MinimalPair, Rejection } from "../../pairs/pair.ts";
import { selectPairs } from "../../pairs/select.ts";
import { findProvenActives } from "./actives.ts";
import { findAdjectives } from "./adjective.ts";
import {
  type Candidate,
  locate,
  type PhenomenonRule,
  reject,
  replaceToken,
  type RuleVerdicts,
  wordsOf,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import { findMiddleVoice } from "./middle_voice.ts";
import { findQuirkyCase, ONLY_CASE, ROLE_MARKS } from "./quirky_case.ts";
import { correctMisprints } from "./orthography.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { findUmlaut } from "./umlaut.ts";

/**
 * Maximum sentence length in characters.
 * Longer ones have several clauses that dominate the score.
 */
export const LONGEST_SENTENCE = 80;

/** Mark of a pair whose sentence had a corrected misprint. */
const MENDED = "misprint_mended";

/**
 * Mark of a pair whose variant violates one feature only, in every dialect.
 * The change breaks no agreement in addition, and no Old Norwegian spelling makes the variant
 * correct.
 */
export const ONE_FEATURE = "only_one_feature_in_every_dialect";

/** Mark of an umlaut pair whose a is regular in Old Norwegian. */
const NORWEGIAN = "regular_in_old_norwegian";

/** Marks of a middle-voice pair's direction, by error type. */
const DIRECTION_MARKS: Readonly<Record<string, string>> = {
  middle_to_active: "direction_to_active",
  active_to_middle: "direction_to_middle",
};

/** Adds derived marks to a chosen pair. Selection does not depend on them. */
function withDerivedMarks<P extends Phenomenon>(chosen: CertifiedPair<P>): CertifiedPair<P> {
  const { pair, certificate } = chosen;
  const direction = DIRECTION_MARKS[pair.errorType];
  // With vera an oblique leaves a nominative predicate behind, so case is not the only violation.
  const isOne = pair.phenomenon === "QUIRKY_CASE"
    ? certificate.marks.includes(ONLY_CASE)
    : !certificate.marks.includes(NORWEGIAN);
  const marks = [
    ...certificate.marks,
    ...(direction ? [direction] : []),
    ...(isOne ? [ONE_FEATURE] : []),
  ];
  return { ...chosen, certificate: { ...certificate, marks } };
}

type Rules = Readonly<Partial<Record<Phenomenon, PhenomenonRule>>>;

/** The rule of each phenomenon. */
const RULES: Rules = {
  QUIRKY_CASE: findQuirkyCase,
  ADJECTIVE: findAdjectives,
  UMLAUT: findUmlaut,
  MIDDLE_VOICE(sentence, forms) {
    const [removed, added] = [findMiddleVoice, findProvenActives].map((rule) =>
      rule(sentence, forms)
    );
    return {
      candidates: [...removed!.candidates, ...added!.candidates],
      rejections: removed!.rejections,
    };
  },
};

/**
 * Source of a change: `rules`, or a model.
 * For a model, `promptSha256` is the SHA-256 (hex) of its prompt template.
 */
type Proposer = Pick<CertifiedPair["certificate"], "proposedBy" | "promptSha256">;

/** The source of candidates that only the rules found. */
const RULES_ALONE: Proposer = { proposedBy: "rules", promptSha256: "" };

/** A certified pair of the study, not yet numbered. */
export type NorsePair = CertifiedPair<Phenomenon>;

/** The study's rules and checks, opened over the saga. */
export type RuleBook = ReturnType<typeof openRuleBook>;

/**
 * Opens the rules over all sentences of the saga.
 * By default they are those of the data set. Pure, without randomness.
 */
export function openRuleBook(sentences: readonly Sentence[], rules: Rules = RULES) {
  const texts = sentences.map(({ normalised }) => normalised);
  const attested = attestedSentences(texts);
  const windows = new Set(texts.flatMap(contextWindows));
  const forms = new Set(texts.flatMap((text) => wordsOf(text.toLowerCase())));
  return {
    /** Returns a rule's verdicts on a sentence, not yet certified. */
    find: (sentence: Sentence, phenomenon: Phenomenon): RuleVerdicts =>
      rules[phenomenon]?.(sentence, forms) ?? { candidates: [], rejections: [] },
    /** Applies the checks shared by all phenomena and sources. */
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
      const isMended = correctMisprints(sentence.source).notes.length > 0;
      const proposal = {
        ...ground,
        ...proposer,
        marks: isMended ? [...ground.marks, MENDED] : ground.marks,
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

/** Returns each word with two neighbours per side. Sentence edges count as words. */
function contextWindows(text: string): readonly string[] {
  const words = wordsOf(text.toLowerCase());
  const padded = ["#", "#", ...words, "#", "#"];
  return words.map((_, i) => padded.slice(i, i + 5).join(" "));
}

/** All certified pairs, and all rejections. */
export interface Candidates {
  readonly certified: readonly NorsePair[];
  readonly rejections: readonly Rejection[];
}

/** Applies every rule to every sentence and certifies the candidates. Pure, without randomness. */
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

/** Target size of the data set (requirement 2.4). If possible, each phenomenon has a quarter. */
const TARGET_PAIRS = 500;

/**
 * Maximum number of pairs per lemma, by phenomenon.
 * þykkja is half of the saga's experiencer verbs and gets twenty. Middle verbs are unlimited, since
 * few have an ungrammatical active.
 */
const PER_LEMMA: Readonly<Record<Phenomenon, number>> = {
  QUIRKY_CASE: 20,
  ADJECTIVE: 8,
  UMLAUT: 10,
  MIDDLE_VOICE: 20,
};

/** Marks that describe a pair without naming a second violation. */
const HARMLESS_MARKS: ReadonlySet<string> = new Set([
  ...[NORWEGIAN, ONLY_CASE, MENDED, ...ROLE_MARKS],
]);

/** Shares within a phenomenon. */
const STRATA = {
  // Both directions, so that neither the longer nor the weaker ending is always the wrong one.
  ADJECTIVE: {
    of: ({ pair }: NorsePair) => pair.errorType,
    shares: { strong_to_weak: 0.6, weak_to_strong: 0.4 },
  },
  // The a before a kept u is regular in Old Norwegian, so that only the Icelandic norm excludes it.
  UMLAUT: {
    of: ({ certificate }: NorsePair) => certificate.marks.includes(NORWEGIAN) ? "kept_u" : "lost_u",
    shares: { lost_u: 0.5, kept_u: 0.5 },
  },
};

/**
 * Selects the data set and the further pairs from certified candidates.
 * Candidates are taken up to the limits per lemma: the 500 most diverse are the data set, the
 * others `further`. Surplus middles made from actives belong to the reverse set and are in neither.
 * Pairs that a model proposed precede those found only by rules. Rejections are refused candidates
 * and certified ones beyond the limits (`not_selected`). A phenomenon's shortfall is divided
 * equally among the others. The same candidates and seed give the same pairs; recorded pairs keep
 * their numbers.
 */
export function chooseDataset(
  { certified, rejections }: Candidates,
  seed: number,
  { onRecord = [], furtherOnRecord = [] }: OnRecord = {},
) {
  const shared = { seed, perLemma: PER_LEMMA, strata: STRATA };
  const all = choosePairs("ON", { certified, rejections }, {
    ...shared,
    quota: quotas(certified, Infinity),
    // The limit of two pairs per sentence belongs to the data set; here it would favour other lemmas.
    perSentence: Infinity,
    onRecord: [],
    turn: isRulesAlone,
  });
  const main = choosePairs("ON", { certified: all.chosen, rejections: [] }, {
    ...shared,
    quota: quotas(all.chosen),
    onRecord,
    turn: isRulesAlone,
  });
  const used = new Set(main.chosen);
  const beyond = all.chosen.filter((one) =>
    !used.has(one) && one.pair.errorType !== "active_to_middle"
  );
  return {
    items: main.items,
    further: numberPairs("ONF", beyond.map(withDerivedMarks), furtherOnRecord),
    rejections: all.rejections,
    report: main.report,
  };
}

/** Pairs of an earlier run, which keep their numbers. */
export interface OnRecord {
  readonly onRecord?: readonly MinimalPair<Phenomenon>[];
  /** Pairs of `further_pairs.csv`. */
  readonly furtherOnRecord?: readonly MinimalPair<Phenomenon>[];
}

const isRulesAlone = ({ certificate }: NorsePair) =>
  certificate.proposedBy === RULES_ALONE.proposedBy ? 1 : 0;

/** Selects certified candidates and numbers them under a prefix. The others are surplus. */
export function choosePairs<P extends Phenomenon>(
  prefix: string,
  { certified, rejections }: Candidates,
  { onRecord, ...options }: Omit<Parameters<typeof selectPairs<P>>[1], "penalty"> & {
    readonly onRecord: readonly MinimalPair<Phenomenon>[];
  },
) {
  const { chosen, report } = selectPairs(certified as readonly CertifiedPair<P>[], {
    ...options,
    penalty: ({ certificate }) =>
      certificate.marks.some((mark) => !HARMLESS_MARKS.has(mark)) ? 1 : 0,
  });
  const selected = new Set<NorsePair>(chosen);
  const surplus = certified.filter((candidate) => !selected.has(candidate)).map((
    { pair, certificate: { source, lemma } },
  ): Rejection => ({
    source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: "not_selected",
    detail: `certified (${lemma}), but the quota was met by more diverse pairs`,
  }));
  const items = numberPairs(prefix, chosen.map(withDerivedMarks), onRecord);
  return { chosen, items, rejections: [...rejections, ...surplus], report };
}

/**
 * Returns the number of pairs per phenomenon, limited by what its lemmas allow.
 * With `pairs` = Infinity it returns all that they allow.
 */
export function quotas(
  certified: readonly NorsePair[],
  pairs = TARGET_PAIRS,
): Readonly<Record<Phenomenon, number>> {
  const parts = PHENOMENA.map((name) => ({
    name,
    room: candidateCount(certified, name),
    wanted: 0,
  }));
  let missing = pairs;
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

/** Counts a phenomenon's candidates, each lemma up to its maximum. */
function candidateCount(certified: readonly NorsePair[], name: Phenomenon): number {
  const candidates = certified.filter(({ pair }) => pair.phenomenon === name);
  return [...Map.groupBy(candidates, ({ certificate }) => certificate.lemma).values()]
    .reduce((sum, { length }) => sum + Math.min(length, PER_LEMMA[name]), 0);
}
