/** Prompts for the user's queries, and the destination of the answers. */
import type { AskingState } from "../../files/asking.ts";
import type { OpenTable } from "../../files/table.ts";
import type { SamplePrompt } from "../../models/model.ts";
import { randomSource } from "../../stats/random.ts";

/**
 * Instructions added to the question. With `opening given` the reply begins with given words. They
 * lead to both abstentions and answers, for the classifier's test set; no rate is computed from
 * these.
 */
export const INSTRUCTIONS = ["none", "may decline", "opening given"] as const;

export type Instruction = typeof INSTRUCTIONS[number];

const BRIEFLY = "Answer in one or two sentences.";

const MAY_DECLINE =
  "If you do not know the answer, or if what the question is about does not exist, " +
  `say "I don't know".`;

/** Few-shot examples that every base model reads first. */
const ANSWERED = [
  ["Who wrote Hamlet?", "Hamlet was written by William Shakespeare, around the year 1600."],
  ["How high is Mount Everest?", "Mount Everest is about 8,849 metres high."],
  ["What is penicillin used for?", "Penicillin is used to treat infections by bacteria."],
] as const;

/** Examples of abstention added where the model may decline. No query is about such a thing. */
const DECLINED = [
  ["Who wrote the novel Quendaril?", "I don't know of any novel with this title."],
  ["What is dolverazine used for?", "I don't know. I have never heard of dolverazine."],
] as const;

/** Openings of a reply: "There is no" may continue as "such lake" or as "better place". */
const OPENINGS =
  "I don't|I'm not|There is no|Unfortunately,|It is not|No|I cannot|The name|It is unknown|Although"
    .split("|");

/** Makes the prompt for a brief answer to a question. */
export function abstentionPrompt(
  { id, question }: Readonly<Record<"id" | "question", string>>,
  form: "chat" | "few-shot",
  instruction: Instruction,
): SamplePrompt {
  const mayDecline = instruction === "may decline";
  const [first, second, third] = ANSWERED;
  const shots = mayDecline ? [first, DECLINED[0], second, DECLINED[1], third] : ANSWERED;
  const text = form === "chat"
    ? [question, BRIEFLY, ...mayDecline ? [MAY_DECLINE] : []].join(" ")
    : shots.map(([asked, answer]) => `Question: ${asked}\nAnswer: ${answer}\n\n`).join("") +
      `Question: ${question}\nAnswer:`;
  if (instruction !== "opening given") return { text };
  const opening = OPENINGS[randomSource(`abstention/opening/${id}`).integer(OPENINGS.length)]!;
  // A base model continues with a space after the colon.
  return { text, replySoFar: form === "chat" ? opening : ` ${opening}` };
}

/** Few-shot prompt for thoughts; its countries occur in no measurement. */
export const INTRODUCTION = `Think in one short sentence, then answer in a few words.

Question: What is the capital of Ghana?
Thought: Ghana is in West Africa, and its government sits in its largest city on the coast.
Answer: Accra

Question: In which year did India become independent?
Thought: British rule in India ended soon after the Second World War.
Answer: 1947

Question: What is the currency of Poland?
Thought: Poland is in the European Union, but it has kept its own money.
Answer: zlotych

`;

/** End of a thought: the model would otherwise begin its answer or another question. */
export const THOUGHT_END = ["\n"];

/** Destination of the answers, and the progress of a resumed run. */
export interface AnswerSink<Row> {
  readonly table: OpenTable<Row>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
}
