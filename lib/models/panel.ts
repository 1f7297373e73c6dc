import { basename, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { damageReason } from "../files/csv.ts";
import { MODEL_PACKAGES } from "../files/packages.ts";
import { tryGguf } from "./llama/gguf_model.ts";

const ROLES = z.array(z.enum(["chat", "likelihood"])).min(1);

const GGUF_ENTRY = z.strictObject({
  id: z.string().regex(/^[\w.-]+$/, "must consist of letters, digits, '.', '_' and '-'"),
  kind: z.literal("gguf"),
  package: z.enum(MODEL_PACKAGES).optional(),
  path: z.string().min(1).optional(),
  /**
   * Roles: answering prompts, scoring texts, or both. Entries with a path have those of their file.
   */
  roles: ROLES.optional(),
  /** Readout of a chat answer: generated text, or next-token probabilities. */
  readout: z.enum(["generation", "next-token"]).default("generation"),
  /** Precision of the weights. `Q8_0` (8 bits) changes scores by nats. */
  precision: z.enum(["F32", "F16", "Q8_0", "shipped"]).default("F32"),
  contextTokens: z.int().min(64).default(2048),
  /** System message before every question. */
  systemPrompt: z.string().min(1).optional(),
  licence: z.string().min(1),
}).refine((entry) => (entry.package === undefined) !== (entry.path === undefined), {
  message: "must have either a package or a path, and not both",
}).refine(({ package: packed, roles }) => packed === undefined || roles !== undefined, {
  message: "must name roles for a package",
});

const HOSTED = {
  /** Name of the model in every result. It may differ from the host's name. */
  id: z.string().regex(/^[\w.\/-]+$/, "must consist of letters, digits, '.', '_', '-' and '/'"),
  model: z.string().min(1).optional(),
  /** Reasoning effort of reasoning models, the same in every call. */
  reasoningEffort: z.enum(["none", "default", "low", "medium", "high"]).optional(),
  licence: z.string().min(1),
};

const GROQ_ENTRY = z.strictObject({
  ...HOSTED,
  kind: z.literal("groq"),
  roles: ROLES.refine((roles) => !roles.includes("likelihood"), {
    message: "must be [chat]: Groq answers a request for log-probabilities with 400",
  }),
  /** Limits of a free account, for the estimate before a run. */
  limits: z.strictObject({
    requestsPerMinute: z.int().positive(),
    requestsPerDay: z.int().positive(),
    tokensPerMinute: z.int().positive(),
    tokensPerDay: z.int().positive(),
  }).optional(),
  price: z.strictObject({ prompt: z.number().min(0), reply: z.number().min(0) }).optional(),
  /** Date on which the host withdrew the model, by its notice. */
  withdrawn: z.iso.date().optional(),
});

const SERVER_ENTRY = z.strictObject({
  ...HOSTED,
  kind: z.literal("openai-compatible"),
  /** Base URL up to `/v1`; the SDK adds `/chat/completions` and `/completions`. */
  baseUrl: z.url({
    protocol: /^https?$/,
    error: "must be an address that begins with http:// or https:// and ends with /v1",
  }),
  /** Variable in `.env` with the key; undefined for a server without keys. */
  keyName: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be a variable's name").optional(),
  concurrency: z.int().min(1).max(1024).default(8),
  /** Time limit of one attempt in seconds, 300 by default. Requests may queue on the server. */
  timeoutSeconds: z.int().min(1).optional(),
  /** Token before each text, if the vocabulary adds none; usually `<|endoftext|>`. */
  startToken: z.string().min(1).optional(),
  roles: ROLES,
});

/** Generation settings, the same for all hosted models of a panel. */
const GENERATION = z.strictObject({
  /** Temperature. `default` omits it, for models that reject other values. */
  temperature: z.union([z.number().min(0).max(2), z.literal("default")]),
  /** Maximum number of reply tokens, including reasoning. */
  maxReplyTokens: z.int().min(1),
  /**
   * Parameter name of this limit. By default `max_tokens`, or the newer name if the server rejects
   * it.
   */
  limitName: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  seed: z.int().min(0).optional(),
  /** System message before every question. */
  systemPrompt: z.string().min(1).optional(),
  /** Additional fields of every request, named as in the server's documentation. */
  extraBody: z.record(z.string(), z.json()).optional(),
});

const NAMED = ["path", "baseUrl", "model", "kind"] as const;
const SHORT = z.object(Object.fromEntries(NAMED.map((name) => [name, z.string().optional()])));

/**
 * Completes a short entry: `path: FILE`; `baseUrl: URL, model: NAME`; `kind: groq, model: NAME`.
 */
function completed(entry: unknown): unknown {
  const { path, baseUrl, model, kind } = SHORT.safeParse(entry).data ?? {};
  const own = entry as object;
  const licence = "not stated";
  if (path !== undefined) {
    const id = basename(path, ".gguf").replace(/[^\w.-]+/g, "_");
    return { kind: "gguf", id, licence, ...own };
  }
  const id = model?.replace(/[^\w.\/-]+/g, "_");
  if (kind === "groq") return { id, licence, roles: ["chat"], ...own };
  const served = { kind: "openai-compatible", id, licence, roles: ["chat", "likelihood"] };
  return baseUrl === undefined ? entry : { ...served, ...own };
}

const MODEL = z.discriminatedUnion("kind", [GGUF_ENTRY, GROQ_ENTRY, SERVER_ENTRY]);

const PANEL = z.strictObject({
  name: z.string().min(1),
  generation: GENERATION.optional(),
  models: z.array(z.preprocess(completed, MODEL)).min(1, "must list a model"),
}).refine(
  ({ generation, models }) => generation || models.every(({ kind }) => kind === "gguf"),
  {
    message: "must be there for hosted models, the same for all: write temperature and " +
      "maxReplyTokens under it, as data/panels/groq.yaml does",
    path: ["generation"],
  },
);

export type GgufEntry =
  & Readonly<Required<Pick<z.infer<typeof GGUF_ENTRY>, "roles">>>
  & Readonly<Omit<z.infer<typeof GGUF_ENTRY>, "roles">>;
export type GroqEntry = Readonly<z.infer<typeof GROQ_ENTRY>>;
export type ServerEntry = Readonly<z.infer<typeof SERVER_ENTRY>>;
export type HostedEntry = GroqEntry | ServerEntry;
export type PanelEntry = GgufEntry | HostedEntry;
export type Generation = Readonly<z.infer<typeof GENERATION>>;

/** Returns the panel with a system message before every question. */
export function withSystemPrompt({ generation, models, ...panel }: Panel, text: string): Panel {
  const systemPrompt = text.trim();
  return {
    ...panel,
    ...generation && { generation: { ...generation, systemPrompt } },
    models: models.map((entry) => entry.kind === "gguf" ? { ...entry, systemPrompt } : entry),
  };
}

/** Models compared by a study. */
export interface Panel {
  readonly name: string;
  readonly generation?: Generation | undefined;
  readonly models: readonly PanelEntry[];
}

export function ggufEntries({ models }: Panel): readonly GgufEntry[] {
  return models.filter((entry) => entry.kind === "gguf");
}

export function hostedEntries(models: readonly PanelEntry[]): readonly HostedEntry[] {
  return models.filter((entry) => entry.kind !== "gguf");
}

function describe({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const [list, index] = path;
  const models = z.object({ models: z.array(z.object({ id: z.string() })) }).safeParse(value).data;
  const id = list === "models" ? models?.models[Number(index)]?.id : undefined;
  const place = path.length === 0 ? "the file" : path.join(".");
  return `${place}${id === undefined ? "" : ` (${id})`}: ${message}`;
}

/**
 * Parses a panel from YAML.
 * @param project Base folder of relative model paths; they stay unchanged by default.
 * @throws {SyntaxError} naming all invalid fields, duplicate ids, or a file that is no language
 * model.
 */
export function parsePanel(text: string, file: string, project?: string): Panel {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    // Aliases without end are no error of the syntax.
    throw new SyntaxError(`Cannot read panel ${file}: it is not YAML: ${damageReason(error)}`);
  }
  return panelOf(value, `panel ${file}`, project);
}

/**
 * Makes a panel of files and a server named on the command line, with temperature 0. Throws as
 * {@link parsePanel} does.
 */
export function namedPanel(
  { gguf = [], precision, server, model }: {
    readonly gguf?: readonly string[] | undefined;
    readonly precision?: string | undefined;
    readonly server?: string | undefined;
    readonly model?: string | undefined;
  },
): Panel {
  const served = server === undefined ? [] : [{ baseUrl: server, model }];
  const files = gguf.map((path) => ({ path, ...(precision && { precision }) }));
  const generation = { temperature: 0, maxReplyTokens: 1024 };
  const value = { name: "own", generation, models: [...files, ...served] };
  return panelOf(value, "the models named", Deno.cwd());
}

function panelOf(value: unknown, source: string, project?: string): Panel {
  const result = PANEL.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => describe(issue, value)).join("; ");
    throw new SyntaxError(`Cannot read ${source}: ${problems}`);
  }
  const models = result.data.models.map((entry): PanelEntry => {
    if (entry.kind !== "gguf") return entry;
    const path = project === undefined || !entry.path ? entry.path : resolve(project, entry.path);
    const roles = entry.roles ??
      (tryGguf("facts", path ?? "").isChat
        ? ["chat" as const, "likelihood" as const]
        : ["likelihood"]);
    return { ...entry, ...(path && { path }), roles };
  });
  const ids = models.map((entry) => entry.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new SyntaxError(`Cannot read ${source}: the id ${twice} occurs twice`);
  }
  return { ...result.data, models };
}
