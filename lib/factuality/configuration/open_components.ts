import { readTextIfThere } from "../../files/read_text.ts";
import { shownPath } from "../../files/shown_path.ts";
import { loadMiniLm } from "../../models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { readJudgeCalibration } from "../judges/judge_calibration.ts";
import { type PromptTemplates, readPromptTemplates } from "../judges/prompts.ts";
import { assembleComponents, type AssembledComponents } from "./assemble_components.ts";
import type { ComponentMakers } from "./ready_components.ts";
import {
  type EvaluationComponentsConfiguration,
  parseEvaluationConfiguration,
} from "./evaluation_configuration.ts";
import { lazyGroqCalls } from "./open_hosted.ts";
import { openJudge } from "./open_judge.ts";
import { openRetriever } from "./open_retriever.ts";
import { openVerifier } from "./open_verifier.ts";
import { loadWords, type Opening, type OpeningProgress } from "./opening.ts";

export interface OpenComponentsOptions {
  /** Git-ignored folder for packages, models and indexes; about 2.5 GB for the default file. */
  readonly cacheDirectory: string;
  /** Path of the file with the keys of hosts; `.env` where left out. */
  readonly env?: string;
  /** In place of the file's own. */
  readonly threads?: number;
  readonly onProgress?: (progress: OpeningProgress) => void;
}

/** What an evaluation is made with, and what else its models can do. */
export interface OpenComponents extends AssembledComponents, AsyncDisposable {}

const MAKERS: ComponentMakers = { openVerifier, openRetriever, openJudge };

/** The encoder, loaded once, at the first call. */
function lazyEncoder(
  { cacheDirectory, resources, tell }: Pick<Opening, "cacheDirectory" | "resources" | "tell">,
  threads: number,
  precision: "Q8_0" | "F32",
) {
  let loading: Promise<SentenceEncoder> | undefined;
  return {
    encoder: () =>
      loading ??= loadMiniLm({
        ...{ cacheDirectory, threads, precision },
        onProgress: (progress) => tell(progress.model, loadWords(progress)),
      }).then((encoder) => resources.use(encoder)),
    clearCaches: async () => (await loading)?.clear(),
  };
}

/** What was measured of the judges; without its file they are reported as unmeasured. */
function calibrationsOf(
  path: string | undefined,
  prompts: PromptTemplates,
): Pick<Opening, "calibrationOf" | "problems"> {
  const text = path === undefined ? undefined : readTextIfThere(path);
  if (path !== undefined && text !== undefined) {
    return { calibrationOf: readJudgeCalibration(text, shownPath(path), prompts), problems: [] };
  }
  const missing = path === undefined ? [] : [
    `${shownPath(path)} is missing: judges are reported as unmeasured. Restore it, or run ` +
    "`deno task judges`.",
  ];
  return { calibrationOf: () => undefined, problems: missing };
}

async function openingOf(
  configuration: EvaluationComponentsConfiguration,
  resources: AsyncDisposableStack,
  { cacheDirectory, env = ".env", threads: wanted, onProgress }: OpenComponentsOptions,
): Promise<Opening> {
  const threads = wanted ?? configuration.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const tell = (component: string, words: string) => onProgress?.({ component, words });
  const prompts = await readPromptTemplates(configuration.prompts);
  const precision = configuration.quantisation === "8-bit" ? "Q8_0" : "F32";
  return {
    ...{ configuration, cacheDirectory, env, threads, resources, tell },
    ...lazyEncoder({ cacheDirectory, resources, tell }, threads, precision),
    groqCalls: lazyGroqCalls({ env, cacheDirectory, resources }),
    ...{ prompts, ...calibrationsOf(configuration.judgeCalibration, prompts) },
  };
}

function configurationText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read the configuration ${shownPath(path)}: there is no such file that can be read. ` +
        "Begin with a copy of data/factuality/evaluation.yaml.",
      { cause },
    );
  }
}

/**
 * Everything that a configuration file names, in memory, checked by its SHA-256 where the file gives
 * one, and asked a small question, so that work is accepted by what can do it. Models load one after
 * the other. What is not required and fails is left out and told in `problems`. `await using` frees
 * their memory.
 *
 * Needs `--allow-read`, `--allow-ffi`, `--allow-write` on the cache, `--allow-env`, `--allow-sys`, and
 * `--allow-run` of python3 for a first download, of Deno for judges that write.
 *
 * @throws {SyntaxError} for a configuration or prompts file that is wrong, naming each key.
 * @throws {ComponentsError} where something that is required fails, with all that failed.
 */
export async function openComponents(
  path: string,
  options: OpenComponentsOptions,
): Promise<OpenComponents> {
  const configuration = parseEvaluationConfiguration(configurationText(path), path);
  await using resources = new AsyncDisposableStack();
  const opening = await openingOf(configuration, resources, options);
  const components = await assembleComponents(opening, MAKERS, shownPath(path));
  const opened = resources.move();
  return { ...components, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
