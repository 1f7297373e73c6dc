import type { Evaluation } from "../evaluation/evaluation.ts";

/** The weights and prompts behind verdicts and judgements, by their SHA-256, each once. */
export function hashLines({ claims, criteria }: Evaluation): readonly string[] {
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
