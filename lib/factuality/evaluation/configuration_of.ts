import type { EvaluationComponents } from "./components.ts";
import type { EvaluationConfiguration, Named } from "./evaluation.ts";

/** Name and settings of every component, as an evaluation keeps them. */
export function configurationOf(components: EvaluationComponents): EvaluationConfiguration {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = components;
  return {
    splitter: named(splitter),
    retriever: retriever && named(retriever),
    verifier: named(verifier),
    judges: judges.map((judge) => ({
      name: judge.name,
      settings: { ...judge.settings, weight: judge.weight },
    })),
    aggregation,
    promptsSha256,
  };
}

const named = ({ name, settings }: Named): Named => ({ name, settings: { ...settings } });
