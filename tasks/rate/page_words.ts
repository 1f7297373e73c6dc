import { shownPath } from "../../lib/files/shown_path.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";

/**
 * What a page is for, so that one built from the wrong configuration is seen to be: `page for 12
 * translations a sentence, 0–100, Best/Good/OK/Poor, en → de (configuration run.yaml)`.
 */
export function pageWords(config: RunConfig, configPath: string): string {
  const { sourceLanguage, targetLanguage } = config;
  const languages = sourceLanguage === undefined && targetLanguage === undefined
    ? []
    : [`${sourceLanguage ?? "?"} → ${targetLanguage ?? "?"}`];
  const asked = [
    `page for ${config.numTranslations} translations a sentence`,
    `${config.daMin}–${config.daMax}`,
    config.buckets.map(({ label }) => label).join("/"),
    ...languages,
  ];
  return `${asked.join(", ")} (configuration ${shownPath(configPath)})`;
}
