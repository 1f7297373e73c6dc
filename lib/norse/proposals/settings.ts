import { z } from "zod";
import { writeJsonAtomic } from "../../files/json_file.ts";
import { PAIR_SEED } from "../study.ts";
import { SOURCES } from "./gather.ts";
import { PROPOSAL_PATHS } from "./paths.ts";

const SETTINGS = z.strictObject({
  source: z.enum(SOURCES),
  /** Of the selection. */
  seed: z.int(),
  /** The model whose proposals count; null where the rules are the only source. */
  proposer: z.string().min(1).nullable(),
  /**
   * The data set rests on that many first answers of `proposals.jsonl`: asking may go on without
   * changing it.
   */
  answers: z.int().min(0),
}).refine(({ source, proposer }) => (source === "rules") === (proposer === null), {
  message: "a proposer belongs to the sources llm and both, and to these only",
});

/** `generation.json`: what the data set on record was made of. */
export type GenerationSettings = Readonly<z.infer<typeof SETTINGS>>;

/** Requirement 2.3's model. */
export const PROPOSER = "openai/gpt-oss-120b";

/** The settings of a source, with so many answers on record. */
export function settingsOf(
  source: GenerationSettings["source"],
  answers = 0,
): GenerationSettings {
  return source === "rules"
    ? { source, seed: PAIR_SEED, proposer: null, answers: 0 }
    : { source, seed: PAIR_SEED, proposer: PROPOSER, answers };
}

/**
 * The settings on record; those of the rules where there is no file.
 * @throws {SyntaxError} for a file that is no such settings.
 */
export function readGenerationSettings(
  path: string = PROPOSAL_PATHS.generation,
): GenerationSettings {
  try {
    const parsed = SETTINGS.safeParse(JSON.parse(Deno.readTextFileSync(path)));
    if (parsed.success) return parsed.data;
    throw new SyntaxError(parsed.error.issues.map(({ message }) => message).join("; "));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return settingsOf("rules");
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(
      `Cannot read ${path}: ${error.message}. Run \`deno task generate\` or restore the ` +
        "committed file.",
    );
  }
}

/** Writes them. */
export function writeGenerationSettings(path: string, settings: GenerationSettings): void {
  writeJsonAtomic(path, settings);
}

/** In words: `seed 20261121, source both with 812 answers of openai/gpt-oss-120b`. */
export function describeSettings(
  { source, seed, proposer, answers }: GenerationSettings,
): string {
  const asked = proposer === null ? "" : ` with ${answers} answers of ${proposer}`;
  return `seed ${seed}, source ${source}${asked}`;
}
