import { join } from "node:path";
import { z } from "zod";
import { LOG_ROW, type LogRow } from "../../lib/factuality/fine_tuning/loss_table.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { readTextIfThere } from "../../lib/files/read_text.ts";
import { openStatusLine } from "../../lib/files/status_line.ts";
import { formatProgress } from "../../lib/files/progress.ts";
import { TextLineStream } from "../bench/text_lines.ts";

/** What of the training changes what comes of it. */
export interface TrainingSettings {
  readonly pairs: string;
  readonly pairsSha256: string;
  /** Folder of the published weights. */
  readonly model: string;
  readonly out: string;
  /** Whether only the head learns. */
  readonly frozen: boolean;
  readonly seed: number;
  readonly epochs: number;
  readonly batch: number;
  /** Of the network; the head's is so many times as great. */
  readonly learningRate: number;
  readonly headFactor: number;
  /** Share of the steps in which the rate rises. */
  readonly warmUp: number;
  readonly weightDecay: number;
  readonly dropout: number;
  /** Steps between two looks at every so-manieth development claim. */
  readonly evaluateEvery: number;
  readonly developmentEvery: number;
  /** Looks without a lower loss after which training ends. */
  readonly patience: number;
}

const DONE = z.object({
  seconds: z.object({ wall: z.number(), processor: z.number() }),
  log: z.array(LOG_ROW),
});

/** A training that has ended. */
export interface TrainedNetwork {
  /** The weights at the lowest loss on development claims. */
  readonly weights: string;
  readonly log: readonly LogRow[];
  readonly seconds: { readonly wall: number; readonly processor: number };
}

/** Where the training runs. */
export interface TrainingProcess {
  readonly python: string;
  readonly script: string;
  readonly threads: number;
  /** Shown before the progress. */
  readonly label: string;
}

/** The end of a training of these very settings. */
function ended({ out }: TrainingSettings): TrainedNetwork | undefined {
  const text = readTextIfThere(join(out, "done.json"));
  if (text === undefined) return undefined;
  const { seconds, log } = DONE.parse(JSON.parse(text));
  return { weights: join(out, "best.safetensors"), seconds, log };
}

/** Writes the settings; what a training with others left is removed. */
function prepare(settings: TrainingSettings): string {
  const path = join(settings.out, "settings.json");
  const text = JSON.stringify(settings);
  const before = readTextIfThere(path);
  if (before !== undefined && before !== text) Deno.removeSync(settings.out, { recursive: true });
  Deno.mkdirSync(settings.out, { recursive: true });
  writeTextAtomic(path, text);
  return path;
}

function developmentLoss(row: LogRow, loss: number | undefined): number | undefined {
  return "development_loss" in row ? row.development_loss : loss;
}

/** Shows how the training goes on, line by line of what it prints. */
async function follow(lines: AsyncIterable<string>, label: string): Promise<void> {
  using status = openStatusLine();
  const begun = performance.now();
  let first: number | undefined;
  let development: number | undefined;
  for await (const line of lines) {
    const row = LOG_ROW.parse(JSON.parse(line));
    development = developmentLoss(row, development);
    if (!("steps" in row)) continue;
    first ??= row.step - 1;
    const seconds = (performance.now() - begun) / 1000;
    const progress = { label, done: row.step, total: row.steps, resumed: first, seconds };
    const loss = development === undefined ? "" : `, development loss ${development.toFixed(3)}`;
    status.show(`${formatProgress(progress)}${loss}`);
  }
}

/**
 * Trains in a process of its own, or tells what an earlier run gave. Undefined where Ctrl-C ended it:
 * it keeps a checkpoint.
 *
 * @throws {Error} where the process fails; its own words stand above.
 */
export async function trainNetwork(
  settings: TrainingSettings,
  { python, script, threads, label }: TrainingProcess,
  signal: AbortSignal,
): Promise<TrainedNetwork | undefined> {
  const path = prepare(settings);
  const known = ended(settings);
  if (known !== undefined || signal.aborted) return known;
  const args = [script, path, String(threads)];
  const child = new Deno.Command(python, { args, stdin: "null", stdout: "piped" }).spawn();
  // A terminal tells both of Ctrl-C; whoever stops this process alone means the other one, too.
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  await follow(
    child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()),
    label,
  );
  const { success, code } = await child.status;
  signal.removeEventListener("abort", stop);
  if (signal.aborted) return undefined;
  if (success) return ended(settings);
  throw new Error(`Cannot fine-tune: ${[python, ...args].join(" ")} ended with code ${code}`);
}
