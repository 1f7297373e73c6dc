import { join } from "node:path";
import { sha256Hex } from "../../files/checksum.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { Sentence } from "../sentence.ts";
import { PROPOSAL_PATHS } from "./paths.ts";

/** A prompt with a place for the sentence. */
export interface PromptTemplate {
  readonly text: string;
  /** SHA-256 (hex) of the text; certificates carry it. */
  readonly sha256: string;
}

/** The template of each phenomenon. */
export type PromptTemplates = Readonly<Record<Phenomenon, PromptTemplate>>;

const PLACE = "{sentence}";

/**
 * A template from its text.
 * @param file Named in errors.
 * @throws {SyntaxError} unless it has the one place {sentence}, once, and no other.
 */
export function parsePromptTemplate(text: string, file: string): PromptTemplate {
  const places = text.match(/\{\w+\}/gu) ?? [];
  if (places.length !== 1 || places[0] !== PLACE) {
    throw new SyntaxError(
      `Cannot read prompt ${file}: its places are ${places.join(", ") || "none"}; write ` +
        `${PLACE} once, where the sentence goes.`,
    );
  }
  return { text, sha256: sha256Hex(text) };
}

/** `data/norse/prompts/quirky_case.md` and its three neighbours. */
export function readPromptTemplates(folder: string = PROPOSAL_PATHS.prompts): PromptTemplates {
  const entries = PHENOMENA.map((phenomenon) => {
    const file = join(folder, `${phenomenon.toLowerCase()}.md`);
    return [phenomenon, parsePromptTemplate(Deno.readTextFileSync(file), file)] as const;
  });
  return Object.fromEntries(entries) as Record<Phenomenon, PromptTemplate>;
}

/** The question about one sentence. */
export function formatPrompt({ text }: PromptTemplate, { normalised }: Sentence): string {
  return text.replace(PLACE, () => normalised);
}
