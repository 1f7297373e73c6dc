import { attestedSentences, type CertifiedPair, certify, type Proposal } from "../pairs/certify.ts";
import { type DatasetItem, numberPairs } from "../pairs/number_pairs.ts";
import type { Rejection } from "../pairs/pair.ts";
import { type SelectionReport, selectPairs, type Stratum } from "../pairs/selection.ts";
import { findAdjectives } from "./adjective/adjective.ts";
import {
  type Candidate,
  PHENOMENA,
  type Phenomenon,
  type PhenomenonRule,
  reject,
} from "./candidate.ts";
import { contextsOf, contextWindows, isAttestedInContext } from "./context.ts";
import { findMiddleVoice } from "./middle_voice/middle_voice.ts";
import { findQuirkyCase } from "./quirky_case/quirky_case.ts";
import { wordsOf } from "./segmentation.ts";
import { locate, type Sentence } from "./sentence.ts";
import { replaceToken } from "./tokens.ts";
import { findUmlaut } from "./umlaut/umlaut.ts";

/** The prefix of the study's pair ids. */
export const NORSE_PREFIX = "ON";

/** Longer sentences hold several clauses whose likelihood drowns the one word that differs. */
export const LONGEST_SENTENCE = 60;

/** The rule of each phenomenon. */
export const RULES: Readonly<Record<Phenomenon, PhenomenonRule>> = {
  QUIRKY_CASE: findQuirkyCase,
  ADJECTIVE: findAdjectives,
  UMLAUT: findUmlaut,
  MIDDLE_VOICE: findMiddleVoice,
};

/** Pairs of the whole data set, and the most of one phenomenon: 125 and 10 % (requirement 2.4). */
export const TARGET_PAIRS = 500;
export const HIGHEST_QUOTA = 137;

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

/** A rule's candidate with both sentences written out. */
export function proposalOf(candidate: Candidate): Proposal<Phenomenon> {
  const { sentence, token, replacement, ...rest } = candidate;
  return {
    ...rest,
    source: locate(sentence),
    grammatical: sentence.normalised,
    ungrammatical: replaceToken(sentence.normalised, token, replacement),
    target: token.form,
    sourceSpelling: sentence.source,
    proposedBy: "rules",
  };
}

/** Runs every rule over every sentence and certifies what they propose. Pure; no randomness. */
export function findCandidates(sentences: readonly Sentence[]): Candidates {
  const texts = sentences.map((sentence) => sentence.normalised);
  const attested = attestedSentences(texts);
  const windows = contextWindows(texts);
  const corpus = contextsOf(texts);
  const certified: CertifiedPair<Phenomenon>[] = [];
  const rejections: Rejection[] = [];
  for (const sentence of sentences) {
    for (const rule of Object.values(RULES)) {
      const finding = rule(sentence, corpus);
      rejections.push(...finding.rejections);
      for (const candidate of finding.candidates) {
        const refused = refusalOf(candidate, windows);
        const result = refused ?? certify(proposalOf(candidate), attested);
        if (result.kind === "certified") certified.push(result);
        else rejections.push(result.rejection);
      }
    }
  }
  return { certified, rejections };
}

function refusalOf(candidate: Candidate, windows: ReadonlySet<string>) {
  const { sentence, phenomenon, token, replacement } = candidate;
  const name = `${token.form}>${replacement}`;
  const words = wordsOf(sentence.normalised).length;
  const refuse = (reason: string, detail: string) => ({
    kind: "rejected" as const,
    rejection: reject(sentence, phenomenon, name, reason, detail),
  });
  if (words > LONGEST_SENTENCE) return refuse("sentence_too_long", `${words} words`);
  if (isAttestedInContext(proposalOf(candidate).ungrammatical, token, replacement, windows)) {
    return refuse("variant_attested_in_context", "the saga has it between the same neighbours");
  }
  return undefined;
}

export interface GenerationOptions {
  readonly seed: number;
  /** Pairs wanted in all, in equal shares; 500 unless told. */
  readonly target?: number;
}

/**
 * The data set: certified candidates, of which the quota is chosen as diverse as the text allows.
 * What one phenomenon cannot give, the others make up in equal parts, up to a tenth above their
 * share. The same sentences and seed give the same data set.
 */
export function generateDataset(
  sentences: readonly Sentence[],
  { seed, target = TARGET_PAIRS }: GenerationOptions,
): Dataset {
  const { certified, rejections } = findCandidates(sentences);
  const select = (quota: Readonly<Record<Phenomenon, number>>) =>
    selectPairs(certified, {
      quota,
      seed,
      strata: { ADJECTIVE: ADJECTIVE_DIRECTIONS },
      penalty: ({ certificate }) =>
        certificate.marks.some((mark) => !HARMLESS_MARKS.has(mark)) ? 1 : 0,
    });
  let quota = equalQuota(target);
  let selection = select(quota);
  for (let raised = raiseQuota(quota, selection.report, target); raised !== undefined;) {
    quota = raised;
    selection = select(quota);
    raised = raiseQuota(quota, selection.report, target);
  }
  const kept = new Set(selection.chosen);
  const surplus = certified.filter((candidate) => !kept.has(candidate)).map(notSelected);
  return {
    items: numberPairs(NORSE_PREFIX, selection.chosen),
    rejections: [...rejections, ...surplus],
    report: selection.report,
  };
}

function equalQuota(target: number): Record<Phenomenon, number> {
  const share = (index: number) =>
    Math.floor(target / PHENOMENA.length) + (index < target % PHENOMENA.length ? 1 : 0);
  const [quirky, adjective, umlaut, middle] = [0, 1, 2, 3].map(share) as Quadruple;
  return { QUIRKY_CASE: quirky, ADJECTIVE: adjective, UMLAUT: umlaut, MIDDLE_VOICE: middle };
}
type Quadruple = [number, number, number, number];

/** One pair more for each phenomenon that met its quota, as long as pairs are missing; else nothing. */
function raiseQuota(
  quota: Readonly<Record<Phenomenon, number>>,
  report: Readonly<Record<Phenomenon, SelectionReport>>,
  target: number,
): Readonly<Record<Phenomenon, number>> | undefined {
  let missing = target - PHENOMENA.reduce((sum, name) => sum + report[name].chosen, 0);
  const ceiling = Math.ceil((HIGHEST_QUOTA / TARGET_PAIRS) * target);
  const raised = { ...quota };
  for (const name of PHENOMENA) {
    if (missing > 0 && report[name].chosen === quota[name] && quota[name] < ceiling) {
      raised[name]++;
      missing--;
    }
  }
  return PHENOMENA.some((name) => raised[name] > quota[name]) ? raised : undefined;
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
