import type { SamplePrompt } from "../../models/sampling_model.ts";
import { randomSource } from "../../stats/random.ts";
import type { AbstentionQuery } from "./query.ts";

/**
 * What a model is told besides the question. `opening given`: nothing, but its reply has been begun
 * for it with words that lead to abstentions and to answers alike, so that there are some of both to
 * measure a classifier on; no rate is made of these.
 */
export const INSTRUCTIONS = ["none", "may decline", "opening given"] as const;
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

/** "There is no" goes on as "such lake" or as "better place". */
const OPENINGS = [
  ...["I don't", "I'm not", "There is no", "Unfortunately,", "It is not", "No", "I cannot"],
  ...["The name", "It is unknown", "Although"],
];

/** The prompt for a query. */
export function abstentionPrompt(
  { id, question }: Pick<AbstentionQuery, "id" | "question">,
  form: PromptForm,
  instruction: Instruction,
): SamplePrompt {
  const text = form === "chat" ? told(question, instruction) : shown(question, instruction);
  if (instruction !== "opening given") return { text };
  const opening = OPENINGS[randomSource(`abstention/opening/${id}`).integer(OPENINGS.length)]!;
  // After the colon a base model goes on with a space.
  return { text, replySoFar: form === "chat" ? opening : ` ${opening}` };
}

function told(question: string, instruction: Instruction): string {
  return [question, BRIEFLY, ...instruction === "may decline" ? [MAY_DECLINE] : []].join(" ");
}

function shown(question: string, instruction: Instruction): string {
  const [first, second, third] = ANSWERED;
  const shots = instruction === "may decline"
    ? [first, DECLINED[0], second, DECLINED[1], third]
    : ANSWERED;
  return [...shots.map(([asked, said]) => `Question: ${asked}\nAnswer: ${said}\n\n`)].join("") +
    `Question: ${question}\nAnswer:`;
}
