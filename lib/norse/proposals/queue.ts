import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { Sentence } from "../sentence.ts";
import type { QuestionPlan } from "./questions.ts";

/** One question to the model: can this sentence show this phenomenon? */
export interface Question {
  readonly phenomenon: Phenomenon;
  readonly sentence: Sentence;
}

/** What is still to be asked. */
export interface Queue {
  next(): Question | undefined;
  /** A question that was not asked after all. */
  putBack(question: Question): void;
  /** Questions of phenomena that have not enough. */
  remaining(): number;
}

/** The unanswered questions, the phenomena in turn, each in the order of its plan. */
export function openQueue(
  plan: QuestionPlan,
  isEnough: (phenomenon: Phenomenon) => boolean,
  isAnswered: (question: Question) => boolean,
): Queue {
  const lists = PHENOMENA.map((phenomenon) =>
    plan[phenomenon].map((sentence) => ({ phenomenon, sentence }))
      .filter((question) => !isAnswered(question)).reverse()
  );
  let turn = 0;
  const wanted = (list: readonly Question[]) => list.length > 0 && !isEnough(list[0]!.phenomenon);
  return {
    next() {
      for (let tried = 0; tried < lists.length; tried++) {
        const list = lists[turn++ % lists.length]!;
        if (wanted(list)) return list.pop();
      }
      return undefined;
    },
    putBack(question) {
      lists[PHENOMENA.indexOf(question.phenomenon)]!.push(question);
    },
    remaining: () => lists.filter(wanted).reduce((sum, list) => sum + list.length, 0),
  };
}

/** The questions of a queue, each taken when it is asked for, until something is over. */
export function* questionsUntil(isOver: () => boolean, queue: Queue): Generator<Question> {
  while (!isOver()) {
    const question = queue.next();
    if (question === undefined) return;
    yield question;
  }
}
