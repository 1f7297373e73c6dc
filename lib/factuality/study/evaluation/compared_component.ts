import { sha256Hex } from "../../../files/checksum.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import {
  answerOfJudgement,
  answerOfVerdict,
  type ComponentAnswer,
} from "../../evaluation/component_answer.ts";
import { claimTask } from "../../evaluation/judge_tasks.ts";
import type { Judge } from "../../judges/judgement.ts";
import type { Verifier } from "../../verifiers/verifier.ts";

/** Whatever could change an answer. */
export type ComponentSettings = Readonly<Record<string, string | number | boolean>>;

/** One thing that can be asked about a claim and its passages. */
export interface ComparedComponent {
  readonly name: string;
  readonly settings: ComponentSettings;
  /** @throws the signal's reason when it aborts. */
  answer(one: LabelledCase, signal?: AbortSignal): Promise<ComponentAnswer>;
}

/** Milliseconds on a clock that only goes forward. */
export type Stopwatch = () => number;

/** How a component is compared. */
export interface CompareAs {
  /** Of the table's rows. */
  readonly name: string;
  /** What its own settings do not tell: the hash of a prompt, of code. */
  readonly settings?: ComponentSettings;
  readonly now: Stopwatch;
}

/** A verifier, asked about one claim at a time, so that its time is that of a claim. */
export function comparedVerifier(
  verifier: Verifier,
  { name, settings, now }: CompareAs,
): ComparedComponent {
  return {
    name,
    settings: { ...verifier.settings, ...settings },
    async answer({ claim, passages }, signal) {
      const begun = now();
      const [verdict] = await verifier.verify([claim], passages, signal ? { signal } : {});
      return answerOfVerdict(verdict!, now() - begun);
    },
  };
}

/** A judge, shown claim and passages and never a verdict. */
export function comparedJudge(
  judge: Judge,
  { name, settings, now }: CompareAs,
): ComparedComponent {
  return {
    name,
    settings: { ...judge.settings, ...settings },
    async answer({ claim, passages }, signal) {
      const begun = now();
      const task = claimTask(claim, passages, "");
      return answerOfJudgement(await judge.judge(task, signal ? { signal } : {}), now() - begun);
    },
  };
}

/** How fast, not what: the answers of runs that differ in these alone may stand side by side. */
const OF_SPEED = ["threads", "encoder.threads"];

/** SHA-256 of the settings, in any order of keys; what only bears on speed is left out. */
export function settingsSha256(settings: ComponentSettings): string {
  const kept = Object.entries(settings).filter(([key]) => !OF_SPEED.includes(key)).toSorted();
  return sha256Hex(JSON.stringify(kept));
}
