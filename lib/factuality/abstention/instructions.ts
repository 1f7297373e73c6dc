import type { AbstentionQuery } from "./query.ts";

/** What a model is told besides the question. */
export const INSTRUCTIONS = ["none", "may decline"] as const;
export type Instruction = typeof INSTRUCTIONS[number];

/** How a model is asked: instructed ones in their chat template, base models by examples. */
export type PromptForm = "chat" | "few-shot";

const BRIEFLY = "Answer in one or two sentences.";
const MAY_DECLINE =
  "If you do not know the answer, or if what the question is about does not exist, " +
  `say "I don't know".`;

/** What every base model reads first. */
const ANSWERED = [
  ["Who wrote Hamlet?", "Hamlet was written by William Shakespeare, around the year 1600."],
  ["How high is Mount Everest?", "Mount Everest is about 8,849 metres high."],
  ["What is penicillin used for?", "Penicillin is used to treat infections by bacteria."],
] as const;

/** Between the others where it may decline: nothing here is a kind of thing that queries are about. */
const DECLINED = [
  ["Who wrote the novel Quendaril?", "I don't know of any novel with this title."],
  ["What is dolverazine used for?", "I don't know. I have never heard of dolverazine."],
] as const;

/** The prompt for a query. */
export function abstentionPrompt(
  { question }: Pick<AbstentionQuery, "question">,
  form: PromptForm,
  instruction: Instruction,
): string {
  if (form === "chat") {
    return [question, BRIEFLY, ...instruction === "none" ? [] : [MAY_DECLINE]].join(" ");
  }
  const [first, second, third] = ANSWERED;
  const shots = instruction === "none"
    ? ANSWERED
    : [first, DECLINED[0], second, DECLINED[1], third];
  return [...shots.map(([asked, said]) => `Question: ${asked}\nAnswer: ${said}\n\n`)].join("") +
    `Question: ${question}\nAnswer:`;
}
