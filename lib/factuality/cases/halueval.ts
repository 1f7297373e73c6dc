import { z } from "zod";
import { evidencePassage } from "./evidence_passage.ts";
import { labelled, loadCases, type LoadedCases, type RowCases } from "./load_cases.ts";

const QA = z.object({
  id: z.string().optional(),
  knowledge: z.string().min(1),
  question: z.string().min(1),
  right_answer: z.string().min(1),
  hallucinated_answer: z.string().min(1),
});

/**
 * HaluEval's questions (Li et al. 2023, arXiv 2305.11747), one object a line: a right answer and one
 * that ChatGPT was asked to make up, against the same knowledge. Two cases a question, which is the
 * cluster. The claim is `question: answer.` for both, whether or not the answer is a sentence: were
 * sentences to stand alone, the form would tell the label.
 *
 * Length still tells it. In the 1,000 questions beside the project the right answer has 2 words on
 * average and the made-up one 10; 4 % against 91 % have five or more, and in 96 % of pairs the
 * longer is made up. "Longer is wrong" needs no knowledge, so a score here says something only
 * beside that of the answer's length, and nothing of how a verifier fares elsewhere.
 */
export function haluevalQuestions(path: string): LoadedCases {
  return loadCases(path, QA, (row, line) => {
    const { knowledge, question, right_answer, hallucinated_answer } = row;
    const claim = (answer: string) =>
      `${question.replace(/\s*[?.]*\s*$/u, "")}: ${sentence(answer)}`;
    const texts = { right: claim(right_answer), hallucinated: claim(hallucinated_answer) };
    return bothWays("halueval_qa", row.id ?? `qa-${line}`, knowledge, texts);
  });
}

const DIALOGUE = z.object({
  knowledge: z.string().min(1),
  dialogue_history: z.string(),
  right_response: z.string().min(1),
  hallucinated_response: z.string().min(1),
});

/** HaluEval's dialogues: the claim is the reply alone. */
export function haluevalDialogues(path: string): LoadedCases {
  return loadCases(path, DIALOGUE, (row, line) => {
    const texts = { right: row.right_response, hallucinated: row.hallucinated_response };
    return bothWays("halueval_dialogue", `dialogue-${line}`, row.knowledge, texts);
  });
}

const SUMMARY = z.object({
  document: z.string().min(1),
  right_summary: z.string().min(1),
  hallucinated_summary: z.string().min(1),
});

/** HaluEval's summaries: the claim is the summary, often of several sentences. */
export function haluevalSummaries(path: string): LoadedCases {
  return loadCases(path, SUMMARY, (row, line) => {
    const texts = { right: row.right_summary, hallucinated: row.hallucinated_summary };
    return bothWays("halueval_summarization", `summary-${line}`, row.document, texts);
  });
}

function bothWays(
  set: string,
  cluster: string,
  knowledge: string,
  { right, hallucinated }: { readonly right: string; readonly hallucinated: string },
): readonly RowCases[] {
  const passages = [evidencePassage(set, cluster, knowledge)];
  const common = { passages, cluster, set };
  return [
    labelled({ id: `${cluster}/right`, claim: right, label: "supported", ...common }),
    labelled({
      id: `${cluster}/hallucinated`,
      claim: hallucinated,
      label: "not supported",
      ...common,
    }),
  ];
}

function sentence(answer: string): string {
  const trimmed = answer.trim();
  return /[.!?]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
