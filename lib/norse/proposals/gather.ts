import type { CertifiedPair } from "../../pairs/certify.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { Candidates } from "../generation.ts";
import { openRuleBook, type RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import type { PromptTemplates } from "./prompts.ts";
import type { ProposalRejectionReason } from "./read_proposal.ts";
import type { ProposalRecord } from "./record.ts";
import { type Verdict, verifyProposal } from "./verify.ts";

/** Where the pairs come from: the rules alone, a model's proposals alone, or proposals first. */
export const SOURCES = ["rules", "llm", "both"] as const;
export type Source = (typeof SOURCES)[number];

/**
 * The records that count: those of one model, asked with the templates as they are now, in the order
 * of the text, whatever the order of their arrival.
 */
export function currentRecords(
  records: readonly ProposalRecord[],
  model: string,
  templates: PromptTemplates,
  sentences: readonly Sentence[],
): readonly ProposalRecord[] {
  const place = new Map(sentences.map(({ id }, index) => [id, index]));
  const at = ({ sentenceId }: ProposalRecord) => place.get(sentenceId) ?? Infinity;
  return records
    .filter((record) =>
      record.model === model && record.promptSha256 === templates[record.phenomenon].sha256 &&
      place.has(record.sentenceId)
    )
    .toSorted((a, b) =>
      at(a) - at(b) || PHENOMENA.indexOf(a.phenomenon) - PHENOMENA.indexOf(b.phenomenon)
    );
}

/** One verdict a record, in their order; records of unknown sentences have none. */
export function verifyAll(
  records: readonly ProposalRecord[],
  sentences: readonly Sentence[],
  rules: RuleBook = openRuleBook(sentences),
): readonly Verdict[] {
  const byId = new Map(sentences.map((sentence) => [sentence.id, sentence]));
  return records.flatMap((record) => {
    const sentence = byId.get(record.sentenceId);
    return sentence ? [verifyProposal(record, sentence, rules)] : [];
  });
}

/**
 * What a data set is chosen from. `rules`: their own finds. `llm`: the confirmed proposals. `both`:
 * the rules' finds, those that were proposed too under the model's name; refusals of both, but for answers that
 * proposed nothing.
 */
export function gatherCandidates(
  source: Source,
  found: Candidates,
  verdicts: readonly Verdict[],
): Candidates {
  if (source === "rules") return found;
  const confirmed = new Map(
    verdicts.flatMap((verdict) =>
      verdict.kind === "confirmed" ? [[placeKey(verdict.certified), verdict.certified]] : []
    ),
  );
  const refused = verdicts.flatMap((verdict) =>
    verdict.kind === "rejected" && verdict.rejection.reason !== NOTHING ? [verdict.rejection] : []
  );
  if (source === "llm") {
    return {
      certified: found.certified.flatMap((pair) => confirmed.get(placeKey(pair)) ?? []),
      rejections: refused,
    };
  }
  return {
    certified: found.certified.map((pair) => confirmed.get(placeKey(pair)) ?? pair),
    rejections: [...found.rejections, ...refused],
  };
}

/** Who finds nothing to change has proposed nothing that could be refused. */
const NOTHING: ProposalRejectionReason = "nothing_proposed";

/** Names the change: phenomenon, sentence, token and both texts' hash. */
function placeKey({ pair, certificate, tokenIndex }: CertifiedPair<Phenomenon>): string {
  const { chapter, sentence } = certificate.source;
  return JSON.stringify([pair.phenomenon, chapter, sentence, tokenIndex, certificate.sha256]);
}
