import { fileURLToPath } from "node:url";
import { basename, dirname } from "node:path";
import { TextLineStream } from "./text_lines.ts";

/** What score.py answers: log-probabilities in nats, and how long scoring alone took. */
export interface PythonScores {
  readonly scores: readonly number[];
  readonly milliseconds: number;
}

export type PythonRequest =
  | { readonly kind: "torch"; readonly sequences: readonly (readonly number[])[] }
  | { readonly kind: "minicons"; readonly texts: readonly string[] };

export interface PythonScorerOptions {
  readonly python: string;
  /** GGUF file whose weights are used. */
  readonly path: string;
  readonly threads: number;
  /** Text of the token that texts are conditioned on, where it is not the tokenizer's BOS. */
  readonly startToken?: string;
}

/** A Python process that holds the same weights and scores on request, one request at a time. */
export class PythonScorer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;

  private constructor(options: PythonScorerOptions) {
    const script = fileURLToPath(new URL("../python/score.py", import.meta.url));
    const { path, threads, startToken } = options;
    this.#child = new Deno.Command(options.python, {
      args: [
        ...[script, dirname(path), basename(path), String(threads)],
        ...(startToken === undefined ? [] : [startToken]),
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream())
      .getReader();
  }

  /** Starts the process and waits until the weights are loaded. */
  static async open(options: PythonScorerOptions): Promise<PythonScorer> {
    const scorer = new PythonScorer(options);
    await scorer.#line();
    return scorer;
  }

  async #line(): Promise<unknown> {
    const { value, done } = await this.#lines.read();
    if (done) {
      throw new Error("Cannot compare with PyTorch: score.py ended; run it by hand to see why");
    }
    return JSON.parse(value);
  }

  async ask(request: PythonRequest): Promise<PythonScores> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    const answer = await this.#line();
    if (!isScores(answer)) throw new TypeError("Cannot compare with PyTorch: no scores came back");
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#lines.cancel();
    await this.#child.status;
  }
}

function isScores(value: unknown): value is PythonScores {
  return typeof value === "object" && value !== null && "scores" in value &&
    "milliseconds" in value;
}
