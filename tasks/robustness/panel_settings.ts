import type { EvaluationComponents } from "../../lib/factuality/evaluation/components.ts";
import {
  type ComponentSettings,
  settingsSha256,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";

/** Bear on how fast there is an answer, and whether; what ran out of time is asked anew. */
const OF_SPEED = /(^|\.)(threads|timeoutSeconds)$/;

/** Whatever could change a score of verifier, judges or ensemble. */
export function panelSettings(
  { verifier, judges, aggregation, lowConfidenceVariance, promptsSha256 }: EvaluationComponents,
): ComponentSettings {
  const of = (name: string, settings: ComponentSettings) =>
    Object.entries(settings).filter(([key]) => !OF_SPEED.test(key))
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

/** Enough of the settings' SHA-256 to tell settings apart: it stands in thousands of rows. */
export function shortSettingsSha256(settings: ComponentSettings): string {
  return settingsSha256(settings).slice(0, 16);
}
