import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";
import { parseAnswer } from "./answer.ts";
import type { ProposalRecord } from "./record.ts";
import type { Objection, UnknownReason } from "./unconfirmed.ts";

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

/** A change to one word of the sentence, not yet held to any rule. */
export interface Proposed {
  readonly token: Token;
  /** Lower case, NFC. */
  readonly replacement: string;
}

/** An answer that names no word of the sentence that could be judged. */
export interface Unusable extends Objection<ProposalRejectionReason> {
  /** The words as proposed; empty where there are none. */
  readonly name: string;
  /** Whether it states a change. */
  readonly stated: boolean;
}

/** The change that an answer states, or why it states none that could be judged. */
export function readProposal(record: ProposalRecord, sentence: Sentence): Proposed | Unusable {
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
