import type { Judge, JudgeTask } from "../judges/judgement.ts";
import type { JudgeResult } from "./evaluation.ts";
import { eachInFlight } from "../../models/in_flight.ts";
import { orElse, type Run } from "./run.ts";
import { unscored } from "./unscored.ts";

/**
 * Every judge's answer to every task: `results[task][judge]`, both in the order given. One judge is
 * asked after the other, for models in this process share its cores; of one judge as many answers
 * are awaited at once as it bears.
 */
export async function askJudges(
  run: Run,
  tasks: readonly JudgeTask[],
): Promise<readonly (readonly JudgeResult[])[]> {
  const answers: JudgeResult[][] = tasks.map(() => []);
  for (const judge of run.components.judges) {
    await eachInFlight(tasks.entries(), judge.concurrency, async ([index, task]) => {
      answers[index]!.push(await askJudge(run, judge, task));
      return true;
    });
  }
  return answers;
}

async function askJudge(run: Run, judge: Judge, task: JudgeTask): Promise<JudgeResult> {
  const { clock, signal } = run;
  const begun = clock.milliseconds();
  const judgement = await orElse(
    run,
    `The judge ${judge.name}`,
    () => judge.judge(task, { signal }),
    (message) => unscored(judge.name, "failure", message),
  );
  const milliseconds = clock.milliseconds() - begun;
  return { judge: judge.name, measured: judge.measured, judgement, milliseconds };
}
