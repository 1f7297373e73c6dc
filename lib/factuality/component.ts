/**
 * Interface of components (splitter, retriever, verifier, judge). Each is one value `{ schema, open
 * }`: the schema of its configuration entry, and the function that opens it. It is defined with its
 * implementation and listed in `check/configuration.ts`.
 */
import { z } from "zod";
import { hasSha256, shownPath } from "../files/atomic.ts";
import type { SentenceEncoder } from "../models/encoder/network_encoder.ts";
import { withoutSecrets } from "../models/hosted/api_keys.ts";
import type { StructuredModel } from "../models/model.ts";
import type { CalibrationOf } from "./judges/ensemble.ts";
import type { PromptTemplates } from "./judges/prompts.ts";
import type { Verifier } from "./types.ts";

/** A kind of component: the schema of its entry, and the function that opens it. */
export interface Component<Schema extends z.ZodType, Opened> {
  readonly schema: Schema;
  /**
   * Opens the component. @throws {Error} where a file or key is missing, different or unreadable.
   */
  open(
    this: void,
    entry: Readonly<z.infer<Schema>>,
    opening: OpeningContext,
  ): Opened | Promise<Opened>;
}

/** Traits of a kind of verifier. */
interface VerifierTraits {
  /** True for verifiers bound to one precision. A head, scaling or thresholds were fitted to it. */
  readonly keepsPrecision?: true;
  /**
   * True for verifiers that ask a language model: fewer pairs of the text's claims are compared.
   */
  readonly isSlow?: true;
  /** True where the time limit holds for each answer, not for each claim. */
  readonly limitsAnswers?: true;
}

/** Makes a kind of verifier as a component. */
export const verifierKind = <Schema extends z.ZodType>(
  schema: Schema,
  open: Component<Schema, Verifier>["open"],
  traits: VerifierTraits = {},
) => ({ schema, open, ...traits });

/** Context in which the components of one configuration are opened. */
export interface OpeningContext {
  /** Git-ignored folder for packages, models and indexes. */
  readonly cacheDirectory: string;
  /** Path of the `.env` file with the keys of hosts. */
  readonly env: string;
  readonly threads: number;
  /** Quantisation of models whose entry names none. */
  readonly quantisation: "none" | "8-bit";
  /** Resources to dispose of at the end, in reverse order. */
  readonly resources: AsyncDisposableStack;
  readonly prompts: PromptTemplates;
  readonly calibrationOf: CalibrationOf;
  /** True to keep sentence vectors on disk; see `OpenComponentsOptions`. */
  readonly keepVectors?: boolean;
  /** Returns the sentence encoder of a lane, loaded on first use. */
  readonly encoder: (lane?: number) => Promise<SentenceEncoder>;
  /** Returns the generating model of a judge by id, once the judges are open. */
  readonly writerOf?: (judge: string) => StructuredModel | undefined;
  /** Reports progress: an entry's id or kind, and a message, which may stay on screen. */
  readonly tell: (component: string, words: string, stays?: "stays") => void;
}

/** Schema of a non-blank text: a path, a name, a licence. */
export const NON_BLANK = z.string().regex(/\S/, "is blank");
export const IDENTIFIER = z.string()
  .regex(/^[\w.\/-]+$/, "must consist of letters, digits, '.', '_', '-' and '/'");
export const FILE_SHA256 = z.string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits");

/**
 * Quantisation. `8-bit` is Q8_0 made once in the cache for GGUF, and the folder's int8 file for
 * ONNX.
 */
export const QUANTISATION = z.enum(["none", "8-bit"]);

const SECONDS = z.number().positive().max(3600);
/** Configuration key for a time limit; `seconds` is the default. */
export const timeLimit = (seconds: number) => ({ timeoutSeconds: SECONDS.default(seconds) });
/** Time limit of a verifier per claim. Claims asked together share the sum. */
export const CLAIM_TIMEOUT = timeLimit(300);
/** Configuration keys for a user's file or folder. */
export const PATH = { path: NON_BLANK, sha256: FILE_SHA256.optional() };

/** Verifies a file's hash, where one is given. @throws {Error} naming the file. */
export function assertSha256(path: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const shown = shownPath(path);
  if (!Deno.statSync(path).isFile) throw new Error(`${shown} is no file; correct its path`);
  if (hasSha256(path, sha256)) return;
  const why = `its SHA-256 is another than ${sha256}; restore the file, or correct sha256`;
  throw new Error(`${shown} is not the file that the configuration names: ${why}`);
}

/** Names a server by its address, which the configuration's author recognises. */
export const serverName = (baseUrl: string) => `its server at ${new URL(baseUrl).host}`;
const SERVER_NAME =
  /(its server at (?:\[[\da-f:]+\]|localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?)(?![\w@.-])/i;

/** Error message on one line, without keys and without addresses outside the configuration. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/\s+/g, " ").trim().split(SERVER_NAME)
    .map((part, at) => at % 2 === 1 ? part : withoutSecrets(part, [])).join("");
}
