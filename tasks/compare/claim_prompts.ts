import { CLAIM_TEMPLATE } from "../../lib/factuality/evaluation/components.ts";
import type { PromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import type { ComponentSettings } from "../../lib/factuality/study/evaluation/compared_component.ts";

/** Hashes of the prompts by which judges are asked about a claim. */
export function claimPrompts(prompts: PromptTemplates): ComponentSettings {
  const { sha256, nextWordForm } = prompts.template(CLAIM_TEMPLATE);
  const form = nextWordForm === undefined ? "" : prompts.template(nextWordForm).sha256;
  return { promptSha256: sha256, nextWordFormSha256: form };
}
