/** How a model is asked the user's queries: the prompts, and where the answers go. */
import type { AskingState } from "../../files/asking.ts";
import type { OpenTable } from "../../files/table.ts";
import type { SamplePrompt } from "../../models/model.ts";
import { randomSource } from "../../stats/random.ts";

/**
 * What a model is told besides the question. `opening given`: nothing, but its reply has been begun
 * for it with words that lead to abstentions and to answers alike, so that there are some of both to
 * measure a classifier on; no rate is made of these.
 */
export const INSTRUCTIONS = ["none", "may decline", "opening given"] as const;

export type Instruction = typeof INSTRUCTIONS[number];

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
const OPENINGS =
  "I don't|I'm not|There is no|Unfortunately,|It is not|No|I cannot|The name|It is unknown|Although"
    .split("|");

/** A question as it is put to a model, briefly to be answered. */
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
    : shots.map(([asked, said]) => `Question: ${asked}\nAnswer: ${said}\n\n`).join("") +
      `Question: ${question}\nAnswer:`;
  if (instruction !== "opening given") return { text };
  const opening = OPENINGS[randomSource(`abstention/opening/${id}`).integer(OPENINGS.length)]!;
  // After the colon a base model goes on with a space.
  return { text, replySoFar: form === "chat" ? opening : ` ${opening}` };
}

/** Countries that nothing is measured on. */
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

/** Where the thought ends: a model that goes on would begin its answer, or another question. */
export const THOUGHT_END = ["\n"];

/** Where answers go, and how asking goes on. */
export interface AnswerSink<Row> {
  readonly table: OpenTable<Row>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
}
