import { fileURLToPath } from "node:url";
import { basename, dirname } from "node:path";
import { type LineProcess, openLineProcess } from "./line_process.ts";

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
  readonly #process: LineProcess;

  private constructor({ python, path, threads, startToken }: PythonScorerOptions) {
    const script = fileURLToPath(new URL("../python/score.py", import.meta.url));
    const args = [script, dirname(path), basename(path), String(threads), startToken ?? []].flat();
    this.#process = openLineProcess(python, args, { what: "PyTorch", stderr: "null" });
  }

  /** Starts the process and waits until the weights are loaded. */
  static async open(options: PythonScorerOptions): Promise<PythonScorer> {
    const scorer = new PythonScorer(options);
    await scorer.#process.hear();
    return scorer;
  }

  async ask(request: PythonRequest): Promise<PythonScores> {
    const answer: unknown = JSON.parse(await this.#process.ask(JSON.stringify(request)));
    if (!isScores(answer)) throw new TypeError("Cannot compare with PyTorch: no scores came back");
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}

function isScores(value: unknown): value is PythonScores {
  return typeof value === "object" && value !== null && "scores" in value &&
    "milliseconds" in value;
}
