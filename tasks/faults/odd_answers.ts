import type { Letter } from "../../lib/pairs/forced_choice.ts";
import type { Outcome, Strike } from "./scenario.ts";

const other = (letter: Letter): Letter => letter === "A" ? "B" : "A";

/** Answers by the letter that is right, and what each must be read as. */
type OddAnswer = (letter: Letter) => readonly [text: string, outcome: Outcome];

const TEXTS: readonly OddAnswer[] = [
  (right) => [`${right.toLowerCase()}.`, right],
  (right) => [`**${right}**`, right],
  (right) => [`The grammatically correct sentence is ${right}.`, right],
  (
    right,
  ) => [`<think>${other(right)}? The answer is ${other(right)}. No.</think>\n${right}`, right],
  (right) => [`<think>The answer is ${right}, because`, "INVALID"],
  (right) => [`Rétta svarið er setning ${right}`, "INVALID"],
  (right) => [`Правильный ответ — ${right}`, "INVALID"],
  () => ["Á báðum stöðum er rétt mál.", "INVALID"],
  () => ["A or B", "INVALID"],
  (right) => [`${right}: this one. ${other(right)}: this one as well.`, "INVALID"],
  () => ["Both A and B are correct.", "INVALID"],
  () => ["A language model cannot know.", "INVALID"],
  () => ["I'm sorry, but I can't help with that. A", "INVALID"],
  () => ['{"error": "A"}', "INVALID"],
];

/** Hidden reasoning that names the wrong letter, with the answer, and without one; a refusal. */
const REPLIES: readonly ((letter: Letter) => Strike)[] = [
  (right) => ({
    behaviours: [{ kind: "answer", text: right, reasoning: `The answer is ${other(right)}.` }],
    outcome: right,
  }),
  (right) => ({
    behaviours: [{ kind: "answer", text: "", reasoning: `${right}.`, finishReason: "length" }],
    outcome: "INVALID",
  }),
  () => ({
    behaviours: [{ kind: "answer", refusal: "The answer is A, but no." }],
    outcome: "INVALID",
  }),
];

/** Each an answer that comes at once and is a row, whatever it says. */
export const ODD_ANSWERS: readonly ((letter: Letter) => Strike)[] = [
  ...TEXTS.map((answer) => (letter: Letter): Strike => {
    const [text, outcome] = answer(letter);
    return { behaviours: [{ kind: "answer", text }], outcome };
  }),
  ...REPLIES,
];
