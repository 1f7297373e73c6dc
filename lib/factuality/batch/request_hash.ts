import { sha256Hex } from "../../files/checksum.ts";
import type { EvaluationComponents } from "../evaluation/components.ts";
import { configurationOf } from "../evaluation/configuration_of.ts";
import type { EvaluationRequest } from "../evaluation/evaluation.ts";

/** SHA-256 of what is evaluated, whatever it is called. */
export function contentSha256(
  { source, candidate, question }: Omit<EvaluationRequest, "id">,
): string {
  return sha256Hex(JSON.stringify([source, candidate, question]));
}

/** SHA-256 of everything in the components that could change a result. */
export function configurationSha256(components: EvaluationComponents): string {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = configurationOf(
    components,
  );
  const { judgeClaims, lowConfidenceVariance, criteria, consistency } = components;
  return sha256Hex(JSON.stringify([
    [splitter, verifier, ...retriever ? [retriever] : [], ...judges].map(identity),
    [aggregation, promptsSha256, judgeClaims, lowConfidenceVariance, criteria],
    consistency === undefined ? [] : [
      identity(consistency.verifier),
      consistency.languageModel === undefined ? [] : identity(consistency.languageModel),
      consistency.mostPairs,
      consistency.alsoWithSources,
    ],
  ]));
}

/** The order of settings says nothing. */
function identity(
  { name, settings }: { name: string; settings: Readonly<Record<string, unknown>> },
) {
  return [name, Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))];
}
