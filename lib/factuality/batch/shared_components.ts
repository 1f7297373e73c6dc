import type { EvaluationComponents } from "../evaluation/components.ts";

/** Does works as they come, at most so many at once; the others wait in order. */
type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A limiter for so many works at once, ≥ 1. */
export function limiterOf(limit: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * Components for evaluations that are under way together: no judge is asked more at once than it
 * bears, and what runs in this process does one thing at a time. A judge's milliseconds then hold
 * what it waited for others.
 */
export function sharedComponents(components: EvaluationComponents): EvaluationComponents {
  const { splitter, retriever, verifier, judges, consistency } = components;
  const here = limiterOf(1);
  const verify: typeof verifier.verify = (...asked) => here(() => verifier.verify(...asked));
  return {
    ...components,
    splitter: { ...named(splitter), split: (...asked) => here(() => splitter.split(...asked)) },
    retriever: retriever && {
      ...named(retriever),
      retrieve: (...asked) => here(() => retriever.retrieve(...asked)),
    },
    verifier: { ...named(verifier), verify },
    judges: judges.map((judge) => {
      const limited = limiterOf(judge.concurrency);
      const { weight, measured, concurrency } = judge;
      return {
        ...{ ...named(judge), weight, measured, concurrency },
        judge: (...asked) => limited(() => judge.judge(...asked)),
      };
    }),
    consistency: consistency && sharedConsistency(consistency, here),
  };
}

function sharedConsistency(
  consistency: NonNullable<EvaluationComponents["consistency"]>,
  here: Limiter,
): EvaluationComponents["consistency"] {
  const { verifier, languageModel } = consistency;
  return {
    ...consistency,
    verifier: { ...named(verifier), verify: (...asked) => here(() => verifier.verify(...asked)) },
    languageModel: languageModel && {
      ...named(languageModel),
      score: (...asked) => here(() => languageModel.score(...asked)),
    },
  };
}

const named = <Settings>({ name, settings }: { name: string; settings: Settings }) => ({
  name,
  settings,
});
