import { attestedSentences, type CertifiedPair, certify, type Proposal } from "../pairs/certify.ts";
import type { Rejection } from "../pairs/pair.ts";
import { findAdjectives } from "./adjective/adjective.ts";
import {
  type Candidate,
  type Finding,
  type Phenomenon,
  type PhenomenonRule,
  reject,
} from "./candidate.ts";
import { contextWindows, indexCorpus, isAttestedInContext } from "./context.ts";
import { findMiddleVoice } from "./middle_voice/middle_voice.ts";
import { findQuirkyCase } from "./quirky_case/quirky_case.ts";
import { wordsOf } from "./segmentation.ts";
import { locate, type Sentence } from "./sentence.ts";
import { replaceToken } from "./tokens.ts";
import { findUmlaut } from "./umlaut/umlaut.ts";

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
export interface Proposer {
  /** `rules` or a model's name. */
  readonly name: string;
  /** SHA-256 (hex) of the template the model was asked with; empty for rules. */
  readonly promptSha256: string;
}

/** The rules' own finds. */
export const RULES_ALONE: Proposer = { name: "rules", promptSha256: "" };

/** What became of a candidate. */
export type Certification = CertifiedPair<Phenomenon> | {
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
  const texts = sentences.map((sentence) => sentence.normalised);
  const attested = attestedSentences(texts);
  const windows = contextWindows(texts);
  const corpus = indexCorpus(texts);
  return {
    find: (sentence, phenomenon) => RULES[phenomenon](sentence, corpus),
    certify(candidate, proposer) {
      const proposal = proposalOf(candidate, proposer);
      return refusalOf(candidate, proposal.ungrammatical, windows) ?? certify(proposal, attested);
    },
  };
}

/** A candidate with both sentences written out. */
function proposalOf(
  { sentence, token, replacement, ...rest }: Candidate,
  { name, promptSha256 }: Proposer,
): Proposal<Phenomenon> {
  return {
    ...rest,
    source: locate(sentence),
    grammatical: sentence.normalised,
    ungrammatical: replaceToken(sentence.normalised, token, replacement),
    target: token.form,
    sourceSpelling: sentence.source,
    proposedBy: name,
    promptSha256,
  };
}

function refusalOf(candidate: Candidate, variant: string, windows: ReadonlySet<string>) {
  const { sentence, phenomenon, token, replacement } = candidate;
  const name = `${token.form}>${replacement}`;
  const words = wordsOf(sentence.normalised).length;
  const refuse = (reason: string, detail: string) => ({
    kind: "rejected" as const,
    rejection: reject(sentence, phenomenon, name, reason, detail),
  });
  if (words > LONGEST_SENTENCE) return refuse("sentence_too_long", `${words} words`);
  if (isAttestedInContext(variant, token, replacement, windows)) {
    return refuse("variant_attested_in_context", "the saga has it between the same neighbours");
  }
  return undefined;
}
