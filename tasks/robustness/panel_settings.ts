import type { EvaluationComponents } from "../../lib/factuality/evaluation/components.ts";
import type { ComponentSettings } from "../../lib/factuality/study/evaluation/compared_component.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";

/** Whatever could change a score of verifier, judges or ensemble; `threads` changes only how fast. */
export function panelSettings(
  { verifier, judges, aggregation, lowConfidenceVariance, promptsSha256 }: EvaluationComponents,
): ComponentSettings {
  const of = (name: string, settings: ComponentSettings) =>
    Object.entries(settings).filter(([key]) => !/(^|\.)threads$/.test(key))
      .map(([key, value]) => [`${name}.${key}`, value] as const);
  return Object.fromEntries([
    ...of("verifier", verifier.settings),
    ...judges.flatMap(({ name, settings, weight }) => of(name, { ...settings, weight })),
    ["featureCode", featureCodeDigest()],
    ["aggregation", aggregation],
    ["lowConfidenceVariance", lowConfidenceVariance],
    ["promptsSha256", promptsSha256],
  ]);
}
