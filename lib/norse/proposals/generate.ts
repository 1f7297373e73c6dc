import type { PromptTemplates } from "./prompts.ts";
import { type Candidates, chooseDataset, type Dataset, findCandidates } from "../generation.ts";
import { openRuleBook, type RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { currentRecords, gatherCandidates, verifyAll } from "./gather.ts";
import type { ProposalRecord } from "./record.ts";
import type { GenerationSettings } from "./settings.ts";
import type { Verdict } from "./verify.ts";

/** A data set with everything it was chosen from. */
export interface Generation {
  /** One a counted answer of the proposer, in the order of the text; none for the rules. */
  readonly verdicts: readonly Verdict[];
  readonly candidates: Candidates;
  readonly dataset: Dataset;
}

export interface GenerationInput {
  readonly sentences: readonly Sentence[];
  readonly records: readonly ProposalRecord[];
  readonly templates: PromptTemplates;
  readonly settings: GenerationSettings;
  /** Opened over the sentences unless given. */
  readonly rules?: RuleBook;
}

/** The data set of a source: the same input gives the same data set, in whatever order it arrived. */
export function generate(input: GenerationInput): Generation {
  const { sentences, records, templates, settings } = input;
  const rules = input.rules ?? openRuleBook(sentences);
  const { source, seed, proposer } = settings;
  const counted = proposer === null ? [] : currentRecords(records, proposer, templates, sentences);
  const verdicts = verifyAll(counted, sentences, rules);
  const candidates = gatherCandidates(source, findCandidates(sentences, rules), verdicts);
  return { verdicts, candidates, dataset: chooseDataset(candidates, { seed }) };
}
