/** From sentences to certified candidates, and the choice of a balanced data set among them. */
import { attestedSentences, type CertifiedPair, certify } from "../../pairs/certify.ts";
import { numberPairs } from "../../pairs/dataset.ts";
import type { MinimalPair, Rejection } from "../../pairs/pair.ts";
import { selectPairs } from "../../pairs/select.ts";
import { findProvenActives } from "./actives.ts";
import { findAdjectives } from "./adjective.ts";
import {
  type Candidate,
  type Finding,
  locate,
  type PhenomenonRule,
  reject,
  replaceToken,
  wordsOf,
} from "./candidate.ts";
import type { Sentence } from "./dataset.ts";
import { findMiddleVoice } from "./middle_voice.ts";
import { findQuirkyCase, ONLY_CASE, ROLE_MARKS } from "./quirky_case.ts";
import { mendMisprints } from "./orthography.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { findUmlaut } from "./umlaut.ts";

/** Longer sentences hold several clauses whose likelihood drowns the one word that differs. */
export const LONGEST_SENTENCE = 80;

/** The mark of a pair whose sentence has a misprint of the edition mended. */
const MENDED = "misprint_mended";

/**
 * The mark of a pair that breaks one feature alone, and whose variant is an error in every dialect: no
 * agreement is broken with it, and no Old Norwegian spelling licenses it.
 */
export const ONE_FEATURE = "only_one_feature_in_every_dialect";

/** The mark of an umlaut pair whose a is regular in Old Norwegian. */
const NORWEGIAN = "regular_in_old_norwegian";

/** The marks of the direction of a middle-voice pair, by its error type. */
const DIRECTION_MARKS: Readonly<Record<string, string>> = {
  middle_to_active: "direction_to_active",
  active_to_middle: "direction_to_middle",
};

/** A chosen pair with the marks that follow from what it is; the draws of the choice do not rest on them. */
function withFlags<P extends Phenomenon>(chosen: CertifiedPair<P>): CertifiedPair<P> {
  const { pair, certificate } = chosen;
  const direction = DIRECTION_MARKS[pair.errorType];
  // Beside vera an oblique leaves a predicate in the nominative behind: it has no mark of case alone.
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

/** Who thought of a change: `rules`, or a model with the SHA-256 (hex) of the template it was asked with. */
type Proposer = Pick<CertifiedPair["certificate"], "proposedBy" | "promptSha256">;

/** The rules' own finds. */
const RULES_ALONE: Proposer = { proposedBy: "rules", promptSha256: "" };

/** A certified pair of the study; it has no number yet. */
export type NorsePair = CertifiedPair<Phenomenon>;

/** The rules and checks of the study, with the saga they consult. */
export type RuleBook = ReturnType<typeof openRuleBook>;

/** Opens the rules, or those of the reverse set, over all sentences of the saga. Pure; no randomness. */
export function openRuleBook(sentences: readonly Sentence[], own: Rules = RULES) {
  const texts = sentences.map(({ normalised }) => normalised);
  const attested = attestedSentences(texts);
  const windows = new Set(texts.flatMap(contextWindows));
  const forms = new Set(texts.flatMap((text) => wordsOf(text.toLowerCase())));
  return {
    /** What a phenomenon's rule says of the words of a sentence; nothing of it is certified yet. */
    find: (sentence: Sentence, phenomenon: Phenomenon): Finding =>
      own[phenomenon]?.(sentence, forms) ?? { candidates: [], rejections: [] },
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
      const isMended = mendMisprints(sentence.source).notes.length > 0;
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

/** Pairs of the whole data set, a quarter from each phenomenon that can give it (requirement 2.4). */
const TARGET_PAIRS = 500;

/**
 * Pairs of one lemma that a phenomenon takes. þykkja is half of all experiencer verbs of the saga and has
 * twenty; of middle verbs all are taken, for few have a wrong active.
 */
const PER_LEMMA: Readonly<Record<Phenomenon, number>> = {
  QUIRKY_CASE: 20,
  ADJECTIVE: 8,
  UMLAUT: 10,
  MIDDLE_VOICE: 20,
};

/** Marks that say something of a pair but break nothing beside its phenomenon. */
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
 * The data set and the pairs beyond it. Certified candidates are first taken as far as the caps of lemma
 * allow; of these 500 are the data set, as diverse as the text allows, and the others are `further`. Actives
 * made middle that are left over belong to the reverse set and are in neither. What a model proposed comes
 * first, and what only the rules found fills up. Rejections are refused candidates, and certified ones
 * beyond the caps (`not_selected`). What one phenomenon cannot give, the others make up in equal parts. The
 * same candidates and seed give the same pairs; those on record keep their numbers.
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
    // Two of a sentence are a limit of the data set: here it would only raise the cap of other lemmas.
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
    further: numberPairs("ONF", beyond.map(withFlags), furtherOnRecord),
    rejections: all.rejections,
    report: main.report,
  };
}

/** Pairs of an earlier run, whose numbers stay. */
export interface OnRecord {
  readonly onRecord?: readonly MinimalPair<Phenomenon>[];
  /** Of `further_pairs.csv`. */
  readonly furtherOnRecord?: readonly MinimalPair<Phenomenon>[];
}

const isRulesAlone = ({ certificate }: NorsePair) =>
  certificate.proposedBy === RULES_ALONE.proposedBy ? 1 : 0;

/** A choice of certified candidates, numbered under a prefix; the others are surplus. */
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
  const kept = new Set<NorsePair>(chosen);
  const surplus = certified.filter((candidate) => !kept.has(candidate)).map((
    { pair, certificate: { source, lemma } },
  ): Rejection => ({
    source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: "not_selected",
    detail: `certified (${lemma}), but the quota was met by more diverse pairs`,
  }));
  const items = numberPairs(prefix, chosen.map(withFlags), onRecord);
  return { chosen, items, rejections: [...rejections, ...surplus], report };
}

/** Pairs wanted of each phenomenon, by what its lemmas can give; as many as there are for Infinity. */
export function quotas(
  certified: readonly NorsePair[],
  pairs = TARGET_PAIRS,
): Readonly<Record<Phenomenon, number>> {
  const parts = PHENOMENA.map((name) => ({ name, room: supply(certified, name), wanted: 0 }));
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

/** Candidates of a phenomenon, no lemma counted more often than it may be taken. */
function supply(certified: readonly NorsePair[], name: Phenomenon): number {
  const own = certified.filter(({ pair }) => pair.phenomenon === name);
  return [...Map.groupBy(own, ({ certificate }) => certificate.lemma).values()]
    .reduce((sum, { length }) => sum + Math.min(length, PER_LEMMA[name]), 0);
}
