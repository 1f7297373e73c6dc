/**
 * What a component is (splitter, retriever, verifier, judge): one value `{ schema, open }`, its entry in
 * a configuration and its opening. It lies with its behaviour, and `check/configuration.ts` names it.
 */
import { z } from "zod";
import { hasSha256, shownPath } from "../files/atomic.ts";
import type { SentenceEncoder } from "../models/encoder/network_encoder.ts";
import { withoutSecrets } from "../models/hosted/api_keys.ts";
import type { StructuredModel } from "../models/model.ts";
import type { CalibrationOf } from "./judges/ensemble.ts";
import type { PromptTemplates } from "./judges/prompts.ts";
import type { Verifier } from "./types.ts";

/** A kind of component: what an entry of it may say, and how one is opened. */
export interface Component<Schema extends z.ZodType, Opened> {
  readonly schema: Schema;
  /** @throws {Error} where a file or key is missing, another, or unreadable. */
  open(this: void, entry: Readonly<z.infer<Schema>>, opening: Opening): Opened | Promise<Opened>;
}

/** What has to be known of a kind of verifier. */
interface VerifierTraits {
  /** Head, scaling or thresholds were fitted to these weights: at another precision they would not hold. */
  readonly keepsPrecision?: true;
  /** It asks a language model: of a text's own claims fewer pairs are compared. */
  readonly isSlow?: true;
  /** Its time limit is that of each answer, not of a claim. */
  readonly limitsAnswers?: true;
}

/** A kind of verifier as a component. */
export const verifierKind = <Schema extends z.ZodType>(
  schema: Schema,
  open: Component<Schema, Verifier>["open"],
  traits: VerifierTraits = {},
) => ({ schema, open, ...traits });

/** What the components of one configuration are opened with. */
export interface Opening {
  /** Git-ignored folder for packages, models and indexes. */
  readonly cacheDirectory: string;
  /** Path of the `.env` file with the keys of hosts. */
  readonly env: string;
  readonly threads: number;
  /** Of every model that does not say otherwise. */
  readonly quantisation: "none" | "8-bit";
  /** Whatever must be disposed of in the end, the last first. */
  readonly resources: AsyncDisposableStack;
  readonly prompts: PromptTemplates;
  readonly calibrationOf: CalibrationOf;
  /** Whether sentence vectors stay on disk; see `OpenComponentsOptions`. */
  readonly keepVectors?: boolean;
  /** The sentence encoder of a lane, loaded when it is first asked for. */
  readonly encoder: (lane?: number) => Promise<SentenceEncoder>;
  /** The model of a judge that writes, by its id, once the judges are open. */
  readonly writerOf?: (judge: string) => StructuredModel | undefined;
  /** Where the opening stands: an entry's id or kind, and what is done now, or is to be known. */
  readonly tell: (component: string, words: string, stays?: "stays") => void;
}

/** A path, a name, a licence. */
export const WORDS = z.string().regex(/\S/, "is blank");
export const IDENTIFIER = z.string()
  .regex(/^[\w.\/-]+$/, "must consist of letters, digits, '.', '_', '-' and '/'");
export const FILE_SHA256 = z.string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits");

/** `8-bit`: Q8_0 made once in the cache for GGUF; the folder's own int8 file for ONNX. */
export const QUANTISATION = z.enum(["none", "8-bit"]);

const SECONDS = z.number().positive().max(3600);
/** The time that an answer may take, `seconds` where the entry does not say. */
export const timeout = (seconds: number) => ({ timeoutSeconds: SECONDS.default(seconds) });
/** Of a verifier, a claim: those that are asked together have as often as many. */
export const CLAIM_TIMEOUT = timeout(300);
/** A file, or a folder, of the user's. */
export const PATH = { path: WORDS, sha256: FILE_SHA256.optional() };

/** @throws {Error} naming the file, where it is another than the one with the hash, if there is one. */
export function assertSha256(path: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const shown = shownPath(path);
  if (!Deno.statSync(path).isFile) throw new Error(`${shown} is no file; correct its path`);
  if (hasSha256(path, sha256)) return;
  const why = `its SHA-256 is another than ${sha256}; restore the file, or correct sha256`;
  throw new Error(`${shown} is not the file that the configuration names: ${why}`);
}

/** How a server of the configuration is called: whoever wrote its address has to see which it is. */
export const serverName = (baseUrl: string) => `its server at ${new URL(baseUrl).host}`;
const SERVER_NAME =
  /(its server at (?:\[[\da-f:]+\]|localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?)(?![\w@.-])/i;

/** What an error says, on one line, without keys, and without addresses but those of the configuration. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/\s+/g, " ").trim().split(SERVER_NAME)
    .map((part, at) => at % 2 === 1 ? part : withoutSecrets(part, [])).join("");
}
