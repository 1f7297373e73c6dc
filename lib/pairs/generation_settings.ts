import type { ChatModel } from "../models/model.ts";

/** Settings of generation that must not differ between the models of a comparison. */
export const GENERATION_SETTINGS: readonly string[] = [
  "temperature",
  "topP",
  "maxReplyTokens",
  "systemPrompt",
];

/**
 * Makes sure that all models are asked alike: each names its temperature, and those that name one
 * of {@link GENERATION_SETTINGS} name the same value. A model that reads its answer from the next
 * token has no reply length to name.
 *
 * Throws RangeError naming the two models and their values.
 */
export function requireSameGeneration(
  models: readonly Pick<ChatModel, "name" | "settings">[],
): void {
  const silent = models.find(({ settings }) => settings.temperature === undefined);
  if (silent) {
    throw new RangeError(`Cannot evaluate ${silent.name}: its settings name no temperature.`);
  }
  for (const setting of GENERATION_SETTINGS) {
    const naming = models.filter(({ settings }) => settings[setting] !== undefined);
    const [first] = naming;
    const other = naming.find(({ settings }) => settings[setting] !== first?.settings[setting]);
    if (first && other) {
      throw new RangeError(
        `Cannot evaluate ${first.name} and ${other.name} together: ${setting} is ` +
          `${first.settings[setting]} for one and ${other.settings[setting]} for the other.`,
      );
    }
  }
}
