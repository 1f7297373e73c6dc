import type { CertifiedPair } from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { type Candidate, type Phenomenon, reject } from "../candidate.ts";
import type { RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";
import { parseAnswer } from "./answer.ts";
import type { ProposalRecord } from "./record.ts";
import {
  changesAnotherFeature,
  type Objection,
  type UnknownReason,
  whyUnknown,
} from "./unconfirmed.ts";

/**
 * Why an answer gives no pair, where it is not the reason for which the phenomenon's rule or the
 * shared checks refuse that very word.
 */
export type ProposalRejectionReason =
  | UnknownReason
  | "nothing_proposed"
  | "refused_to_answer"
  | "unparsable_answer"
  | "target_not_in_sentence"
  | "target_ambiguous"
  | "replacement_not_one_word"
  | "nothing_changed"
  | "changes_another_feature"
  | "other_form_expected";

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

interface Proposed {
  readonly token: Token;
  /** Lower case, NFC. */
  readonly replacement: string;
}

/** An answer that names no word of the sentence that could be judged. */
interface Unusable extends Objection<ProposalRejectionReason> {
  /** The words as proposed; empty where there are none. */
  readonly name: string;
  /** Whether it states a change. */
  readonly stated: boolean;
}

function readProposal(record: ProposalRecord, sentence: Sentence): Proposed | Unusable {
  const nothing = (reason: ProposalRejectionReason, detail: string): Unusable => ({
    ...{ reason, detail, name: "", stated: false },
  });
  if (record.kind === "refusal") return nothing("refused_to_answer", oneLine(record.text));
  const answer = parseAnswer(record.text);
  if (answer.kind === "none") return nothing("nothing_proposed", "");
  if (answer.kind === "unparsable") return nothing("unparsable_answer", answer.detail);
  const [target, replacement] = [answer.target.toLowerCase(), answer.replacement.toLowerCase()];
  const name = `${oneLine(answer.target)}>${oneLine(replacement)}`;
  const unusable = (reason: ProposalRejectionReason, detail: string): Unusable => ({
    ...{ reason, detail, name, stated: true },
  });
  const [token, ...more] = tokenise(sentence.normalised).filter(({ lower }) => lower === target);
  if (token === undefined) return unusable("target_not_in_sentence", "");
  if (more.length > 0) return unusable("target_ambiguous", `it stands ${more.length + 1} times`);
  const [word] = tokenise(replacement);
  if (word?.form !== replacement) return unusable("replacement_not_one_word", "");
  if (word.lower === token.lower) return unusable("nothing_changed", "");
  return { token, replacement };
}

/** White space folded and shortened: a rejection is one line. */
function oneLine(text: string): string {
  return [...text.replace(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, 80).join("");
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
  return refused ??
    whyUnknown(phenomenon, token.lower, tokenise(sentence.normalised).map(({ lower }) => lower));
}

const refusedForm = (candidate: string) => candidate.split(">")[0]?.toLowerCase();
