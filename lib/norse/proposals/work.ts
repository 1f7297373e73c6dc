import { estimateRun, type RunEstimate } from "../../models/hosted/estimate.ts";
import { meanPerAnswer } from "../../models/hosted/usage.ts";
import type { Panel } from "../../models/panel.ts";
import type { Phenomenon } from "../candidate.ts";
import { type HostedEntry, limitsOf } from "../../pairs/panels/hosted_access.ts";
import { findCandidates, quotas, TARGET_PAIRS } from "../generation.ts";
import { openRuleBook, type RuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { PAIR_SEED } from "../study.ts";
import { type Confirmation, openConfirmation } from "./confirmation.ts";
import { currentRecords } from "./gather.ts";
import { formatPrompt, type PromptTemplates } from "./prompts.ts";
import { planQuestions, type QuestionPlan } from "./questions.ts";
import { openQueue } from "./queue.ts";
import { proposalKey, type ProposalRecord } from "./record.ts";

/** What a proposing model is to be asked. */
export interface ProposalWork {
  readonly sentences: readonly Sentence[];
  readonly templates: PromptTemplates;
  readonly rules: RuleBook;
  readonly plan: QuestionPlan;
  /** Pairs of each phenomenon that a data set would take. */
  readonly wanted: Readonly<Record<Phenomenon, number>>;
}

/** The work over these sentences. As the rules confirm what counts, what they find bounds it. */
export function planWork(sentences: readonly Sentence[], templates: PromptTemplates): ProposalWork {
  const rules = openRuleBook(sentences);
  const { certified } = findCandidates(sentences, rules);
  return {
    ...{ sentences, templates, rules },
    plan: planQuestions(sentences, PAIR_SEED),
    wanted: quotas(certified, TARGET_PAIRS),
  };
}

/** Counts what is confirmed of the work; `onRecord` hears after each answer. */
export function confirmationOf(
  { sentences, rules, wanted }: ProposalWork,
  onRecord?: () => void,
): Confirmation {
  return openConfirmation(sentences, rules, wanted, onRecord);
}

/**
 * What asking the rest would take if every question had to be asked: fewer are, where a phenomenon
 * has enough before. Tokens are the mean of the answers on record, where there are some.
 */
export function estimateWork(
  work: ProposalWork,
  records: readonly ProposalRecord[],
  entry: HostedEntry,
  generation: NonNullable<Panel["generation"]>,
): RunEstimate {
  const own = currentRecords(records, entry.id, work.templates, work.sentences);
  const questions = openQuestions(work, own, entry.id);
  const bytes = questions.map((prompt) => new TextEncoder().encode(prompt).length);
  const promptBytes = bytes.reduce((sum, n) => sum + n, 0);
  const planned = { calls: questions.length, promptBytes, organisations: 1 };
  const counted = own.filter(({ promptTokens }) => promptTokens > 0);
  const measured = meanPerAnswer(counted.map((record) => ({ ...record, answers: 1 })));
  return estimateRun(limitsOf(entry), generation, { ...planned, measured });
}

/** The prompts of every question that is not answered, of phenomena that lack pairs. */
function openQuestions(
  work: ProposalWork,
  own: readonly ProposalRecord[],
  model: string,
): readonly string[] {
  const { plan, templates } = work;
  const confirmation = confirmationOf(work);
  for (const record of own) confirmation.record(record);
  const answered = new Set(own.map(proposalKey));
  const queue = openQueue(plan, confirmation.isEnough, ({ phenomenon, sentence }) => {
    const promptSha256 = templates[phenomenon].sha256;
    return answered.has(proposalKey({ model, promptSha256, phenomenon, sentenceId: sentence.id }));
  });
  const prompts: string[] = [];
  for (let question = queue.next(); question !== undefined; question = queue.next()) {
    prompts.push(formatPrompt(templates[question.phenomenon], question.sentence));
  }
  return prompts;
}
