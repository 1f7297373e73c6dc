import type { Evaluation, Named } from "../evaluation/evaluation.ts";

/** What made an evaluation, with every setting and hash, and when: a line a thing. */
export function provenanceLines(evaluation: Evaluation): readonly string[] {
  const { configuration, startedAt, milliseconds, droppedClaims, schemaVersion } = evaluation;
  const seconds = Object.entries(milliseconds)
    .map(([stage, value]) => `${stage} ${(value / 1000).toFixed(2)} s`).join(", ");
  return [
    ...componentsOf(evaluation).map(([role, component]) =>
      `${role} ${component.name}: ${settingsWords(component)}`
    ),
    ...hashLines(evaluation),
    `aggregation: ${configuration.aggregation}`,
    `prompts: SHA-256 ${configuration.promptsSha256}`,
    ...droppedClaims.map(({ text, reason }) => `dropped "${text}": ${reason}`),
    `started ${startedAt}; ${seconds}`,
    `schema version ${schemaVersion}`,
  ];
}

/** The weights and prompts behind verdicts and judgements, by their SHA-256, each once. */
function hashLines({ claims, criteria }: Evaluation): readonly string[] {
  const made = [
    ...claims.map(({ verdict }) => verdict.provenance),
    ...[...criteria, ...claims].flatMap(({ judges }) =>
      judges.map(({ judgement }) => judgement.provenance)
    ),
  ];
  const lines = made.flatMap(({ producedBy, modelSha256, promptSha256 }) => [
    ...modelSha256 === undefined ? [] : [`weights of ${producedBy}: SHA-256 ${modelSha256}`],
    ...promptSha256 === undefined ? [] : [`a prompt of ${producedBy}: SHA-256 ${promptSha256}`],
  ]);
  return [...new Set(lines)].sort();
}

function componentsOf(
  { configuration }: Evaluation,
): readonly (readonly [role: string, component: Named])[] {
  const { splitter, retriever, verifier, judges } = configuration;
  return [
    ["splitter", splitter],
    ...retriever ? [["retriever", retriever] as const] : [],
    ["verifier", verifier],
    ...judges.map((judge) => ["judge", judge] as const),
  ];
}

/** `threads 2, quantisation none`. */
function settingsWords({ settings }: Named): string {
  const parts = Object.entries(settings).map(([key, value]) => `${key} ${value}`);
  return parts.length === 0 ? "no settings" : parts.join(", ");
}
