import { hasSha256 } from "../../files/checksum.ts";
import { formatBytes } from "../../files/progress.ts";
import { formatDownload } from "../../files/download_status.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { LoadProgress } from "../../models/local_models.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import type { CalibrationOf } from "../judges/judge_calibration.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import type { EvaluationComponentsConfiguration } from "./evaluation_configuration.ts";

/** Where the opening of components stands. */
export interface OpeningProgress {
  /** The entry's id or kind. */
  readonly component: string;
  /** What is done now: `loads`, `12,000 passages`. */
  readonly words: string;
}

/** What the components of one configuration are opened with. */
export interface Opening {
  readonly configuration: EvaluationComponentsConfiguration;
  /** Git-ignored folder for packages, models and indexes. */
  readonly cacheDirectory: string;
  /** Path of the `.env` file with the keys of hosts. */
  readonly env: string;
  readonly threads: number;
  /** Whatever must be disposed of in the end, the last first. */
  readonly resources: AsyncDisposableStack;
  readonly prompts: PromptTemplates;
  readonly calibrationOf: CalibrationOf;
  /** What was passed over so far, in sentences. */
  readonly problems: readonly string[];
  /** Calls of Groq, with the keys of `env`, opened when they are first asked for. */
  readonly groqCalls: () => KeyedCalls;
  /** The one sentence encoder, loaded when it is first asked for. */
  readonly encoder: () => Promise<SentenceEncoder>;
  /** Lets go of what can be computed again. */
  readonly clearCaches: () => Promise<void>;
  readonly tell: (component: string, words: string) => void;
}

/** What a model's loading says, as words. */
export function loadWords(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  if (progress.stage === "expand") return `converts its weights, ${formatBytes(progress.bytes)}`;
  return "loads";
}

/**
 * @param sha256 As the configuration has it; nothing is checked where it has none.
 * @throws {Error} naming the file, where it is another.
 */
export function assertSha256(path: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (!Deno.statSync(path).isFile) {
    throw new Error(`${shownPath(path)} is no file; correct its path`);
  }
  if (hasSha256(path, sha256)) return;
  throw new Error(
    `${
      shownPath(path)
    } is not the file that the configuration names: its SHA-256 is another than ` +
      `${sha256}; restore the file, or correct sha256`,
  );
}
