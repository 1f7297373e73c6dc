import type { SamplePrompt } from "../../models/sampling_model.ts";

/** Where the thought ends: a model that goes on would begin its answer, or another question. */
export const THOUGHT_END: readonly string[] = ["\n"];

/** Countries that nothing is measured on. */
const EXAMPLES = [
  {
    question: "What is the capital of Ghana?",
    thought: "Ghana is in West Africa, and its government sits in its largest city on the coast.",
    answer: "Accra",
  },
  {
    question: "In which year did India become independent?",
    thought: "British rule in India ended soon after the Second World War.",
    answer: "1947",
  },
  {
    question: "What is the currency of Poland?",
    thought: "Poland is in the European Union, but it has kept its own money.",
    answer: "zlotych",
  },
];

const INTRODUCTION = "Think in one short sentence, then answer in a few words.\n\n";

const shown = EXAMPLES.map(({ question, thought, answer }) =>
  `Question: ${question}\nThought: ${thought}\nAnswer: ${answer}\n\n`
).join("");

/** What a model is to go on from with a thought about the question. */
export function thoughtPrompt(question: string): SamplePrompt {
  return { text: `${INTRODUCTION}${shown}Question: ${question}\n`, replySoFar: "Thought:" };
}

/** What a model is to go on from with its answer. Options begin with a space. */
export function answerPrompt(question: string, thought: string): SamplePrompt {
  const { text } = thoughtPrompt(question);
  return { text, replySoFar: `Thought: ${thought}\nAnswer:` };
}
