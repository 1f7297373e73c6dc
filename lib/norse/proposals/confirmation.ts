import type { CertifiedPair } from "../../pairs/certify.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { supply } from "../generation.ts";
import type { RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import type { AskProgress } from "./ask.ts";
import { verifyAll } from "./gather.ts";
import type { ProposalRecord } from "./record.ts";

/** Judges proposals while they arrive, to know when no more are needed. */
export interface Confirmation extends AskProgress {
  /** Answers and confirmed pairs so far, for a status line: `812 answers: 61 QUIRKY_CASE …`. */
  describe(): string;
}

/**
 * Counts confirmed proposals against the pairs wanted of each phenomenon; of one lemma no more than a
 * data set would take.
 * @param onRecord Called with each record once it is counted.
 */
export function openConfirmation(
  sentences: readonly Sentence[],
  rules: RuleBook,
  wanted: Readonly<Record<Phenomenon, number>>,
  onRecord: (record: ProposalRecord) => void = () => {},
): Confirmation {
  const confirmed: CertifiedPair<Phenomenon>[] = [];
  let answers = 0;
  return {
    record(record) {
      answers += 1;
      for (const verdict of verifyAll([record], sentences, rules)) {
        if (verdict.kind === "confirmed") confirmed.push(verdict.certified);
      }
      onRecord(record);
    },
    isEnough: (phenomenon) => supply(confirmed, phenomenon) >= wanted[phenomenon],
    describe() {
      const counts = PHENOMENA.map((phenomenon) =>
        `${confirmed.filter(({ pair }) => pair.phenomenon === phenomenon).length} ${phenomenon}`
      );
      return `${answers} answers, confirmed: ${counts.join(", ")}`;
    },
  };
}
