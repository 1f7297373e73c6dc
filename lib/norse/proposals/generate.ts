import type { PromptTemplates } from "./prompts.ts";
import { type Candidates, chooseDataset, type Dataset, findCandidates } from "../generation.ts";
import { openRuleBook, type RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { currentRecords, gatherCandidates, verifyAll } from "./gather.ts";
import type { ProposalRecord } from "./record.ts";
import { type GenerationSettings, PROPOSER } from "./settings.ts";
import type { Verdict } from "./verify.ts";

/** A data set with everything it was chosen from. */
export interface Generation {
  /** Answers on record, of whatever model and to whatever prompts. */
  readonly onRecord: number;
  /** One an answer on record, in the order of the text, whether the data set rests on it or not. */
  readonly verdicts: readonly Verdict[];
  /** What the rules find by themselves, whatever the source. */
  readonly found: Candidates;
  /** What the data set was chosen from. */
  readonly candidates: Candidates;
  readonly dataset: Dataset;
}

export interface GenerationInput {
  readonly sentences: readonly Sentence[];
  /** In the order of the file. */
  readonly records: readonly ProposalRecord[];
  readonly templates: PromptTemplates;
  readonly settings: GenerationSettings;
  /** Opened over the sentences unless given. */
  readonly rules?: RuleBook;
}

/**
 * The data set of a source: the same input gives the same data set, in whatever order the answers
 * that it rests on arrived.
 */
export function generate(input: GenerationInput): Generation {
  const { sentences, records, templates, settings } = input;
  const rules = input.rules ?? openRuleBook(sentences);
  const { source, seed, proposer, answers } = settings;
  const current = currentRecords(records, proposer ?? PROPOSER, templates, sentences);
  const verdicts = verifyAll(current, sentences, rules);
  const counted = new Set(records.slice(0, answers));
  const used = verdicts.filter(({ record }) => counted.has(record));
  const found = findCandidates(sentences, rules);
  const candidates = gatherCandidates(source, found, used);
  const dataset = chooseDataset(candidates, { seed });
  return { onRecord: records.length, verdicts, found, candidates, dataset };
}
