import { type ErrorOutput, MimeBundle, type Output } from "./nbformat.ts";
import type { KernelMessage } from "./wire.ts";

/** One output and, where it can be updated later, its display id. */
interface Shown {
  readonly output: Output;
  readonly displayId: string | undefined;
}

/** What one cell shows, built message by message. */
export class CellOutputs {
  #shown: Shown[] = [];
  #clearBeforeNext = false;

  /** The outputs so far; texts without terminal codes, overwritten progress lines left out. */
  get outputs(): readonly Output[] {
    return this.#shown.map(({ output }) => readable(output));
  }

  /** The error it ended with, if it did. */
  get error(): ErrorOutput | undefined {
    return this.outputs.find((output) => output.output_type === "error");
  }

  /** Takes an iopub message; those that show nothing are ignored. */
  receive({ type, content }: KernelMessage): void {
    if (type === "clear_output") return this.#clear(content.wait === true);
    const output = outputOf(type, content);
    if (output === undefined) return;
    if (this.#clearBeforeNext) this.#clear(false);
    this.#append(output, displayIdOf(content));
  }

  /** Replaces what was shown under `displayId`, as `update_display_data` asks. */
  update(displayId: string, data: MimeBundle, metadata: MimeBundle): void {
    this.#shown = this.#shown.map((shown) =>
      shown.displayId === displayId && "data" in shown.output
        ? { ...shown, output: { ...shown.output, data, metadata } }
        : shown
    );
  }

  #clear(wait: boolean): void {
    this.#clearBeforeNext = wait;
    if (!wait) this.#shown = [];
  }

  /** Text that follows text of the same stream is one output: how it was cut says nothing. */
  #append(output: Output, displayId: string | undefined): void {
    const last = this.#shown.at(-1)?.output;
    if (
      output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name
    ) {
      const merged = { ...last, text: last.text + output.text };
      this.#shown[this.#shown.length - 1] = { output: merged, displayId };
    } else {
      this.#shown.push({ output, displayId });
    }
  }
}

/** The outputs of a notebook's cells; an update reaches displays of earlier cells too. */
export class NotebookOutputs {
  readonly #cells: CellOutputs[] = [];

  /** Begins the next cell: what is received from now on belongs to it. */
  begin(): CellOutputs {
    const cell = new CellOutputs();
    this.#cells.push(cell);
    return cell;
  }

  receive(message: KernelMessage): void {
    if (message.type !== "update_display_data") return this.#cells.at(-1)?.receive(message);
    const id = displayIdOf(message.content);
    if (id === undefined) return;
    const { data, metadata } = message.content;
    for (const cell of this.#cells) cell.update(id, bundle(data), bundle(metadata));
  }
}

function outputOf(type: string, content: KernelMessage["content"]): Output | undefined {
  const { data, metadata, name, text, ename, evalue, traceback, execution_count } = content;
  switch (type) {
    case "stream":
      return {
        output_type: type,
        name: name === "stderr" ? "stderr" : "stdout",
        text: String(text),
      };
    case "display_data":
      return { output_type: type, data: bundle(data), metadata: bundle(metadata) };
    case "execute_result":
      return {
        output_type: type,
        execution_count: typeof execution_count === "number" ? execution_count : null,
        data: bundle(data),
        metadata: bundle(metadata),
      };
    case "error":
      return {
        output_type: type,
        ename: String(ename),
        evalue: String(evalue),
        traceback: Array.isArray(traceback) ? traceback.map(String) : [],
      };
  }
}

function bundle(value: unknown): MimeBundle {
  return MimeBundle.parse(value ?? {});
}

function displayIdOf(content: KernelMessage["content"]): string | undefined {
  const { transient } = content;
  if (typeof transient !== "object" || transient === null || !("display_id" in transient)) return;
  return typeof transient.display_id === "string" ? transient.display_id : undefined;
}

// deno-lint-ignore no-control-regex -- terminal codes are control characters
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** Terminal codes out; of a line rewritten by carriage returns only what stood there last. */
export function plainText(text: string): string {
  return text.replace(ANSI, "").replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "");
}

function readable(output: Output): Output {
  switch (output.output_type) {
    case "stream":
      return { ...output, text: plainText(output.text) };
    case "error":
      return {
        ...output,
        evalue: plainText(output.evalue),
        traceback: output.traceback.map(plainText),
      };
    default: {
      const text = output.data["text/plain"];
      if (typeof text !== "string") return output;
      return { ...output, data: { ...output.data, "text/plain": plainText(text) } };
    }
  }
}
