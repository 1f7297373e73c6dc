import type { CertifiedPair } from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { type Candidate, type Phenomenon, reject } from "../candidate.ts";
import type { RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { type ProposalRejectionReason, type Proposed, readProposal } from "./read_proposal.ts";
import type { ProposalRecord } from "./record.ts";
import { changesAnotherFeature, type Objection, whyUnknown } from "./unconfirmed.ts";

/** What became of one answer. */
export type Verdict =
  | {
    readonly kind: "confirmed";
    readonly record: ProposalRecord;
    readonly certified: CertifiedPair<Phenomenon>;
  }
  | {
    readonly kind: "rejected";
    readonly record: ProposalRecord;
    readonly rejection: Rejection;
    /** Whether a change was proposed at all: what validity is a share of. */
    readonly proposed: boolean;
  };

/**
 * Judges an answer by the rules alone: what they would certify of this sentence, on this word, with
 * this form, passes through the same checks as their own finds; everything else is a rejection.
 */
export function verifyProposal(
  record: ProposalRecord,
  sentence: Sentence,
  rules: RuleBook,
): Verdict {
  const proposed = readProposal(record, sentence);
  if ("reason" in proposed) {
    const { name, stated } = proposed;
    return rejected(record, sentence, proposed, name, stated);
  }
  const { token, replacement } = proposed;
  const name = `${token.form}>${replacement}`;
  const found = ruleVerdict(record.phenomenon, sentence, proposed, rules);
  if ("reason" in found) return rejected(record, sentence, found, name, true);
  const { model, promptSha256 } = record;
  const result = rules.certify(found, { name: model, promptSha256 });
  return result.kind === "certified"
    ? { kind: "confirmed", record, certified: result }
    : rejected(record, sentence, result.rejection, name, true);
}

function rejected(
  record: ProposalRecord,
  sentence: Sentence,
  { reason, detail }: Objection,
  candidate: string,
  proposed: boolean,
): Verdict {
  const { model, phenomenon } = record;
  const by = detail === "" ? model : `${model}: ${detail}`;
  return {
    kind: "rejected",
    record,
    rejection: reject(sentence, phenomenon, candidate, reason, by),
    proposed,
  };
}

/** The rules' own candidate for the word with this form, or what they have against it. */
function ruleVerdict(
  phenomenon: Phenomenon,
  sentence: Sentence,
  { token, replacement }: Proposed,
  rules: RuleBook,
): Candidate | Objection {
  const { candidates, rejections } = rules.find(sentence, phenomenon);
  const own = candidates.find((candidate) => candidate.token.start === token.start);
  if (own?.replacement === replacement) return own;
  if (own) {
    const another = changesAnotherFeature(phenomenon, token.lower, replacement);
    const reason: ProposalRejectionReason = another
      ? "changes_another_feature"
      : "other_form_expected";
    return { reason, detail: `the rules expect ${own.replacement}` };
  }
  // The word stands once in the sentence, so its form names it.
  const refused = rejections.find(({ candidate }) => refusedForm(candidate) === token.lower);
  return refused ?? whyUnknown(phenomenon, token, sentence.normalised);
}

const refusedForm = (candidate: string) => candidate.split(">")[0]?.toLowerCase();
