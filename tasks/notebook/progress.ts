/** On a terminal one line that is rewritten; in a log a line at the end and one a minute. */
export class Progress {
  readonly #begin = performance.now();
  readonly #terminal = Deno.stderr.isTerminal();
  readonly #timer: ReturnType<typeof setInterval>;
  #state = "kernel starts";

  /** @param subject what is being done; stands at the beginning of every line */
  constructor(private readonly subject: string) {
    this.#timer = setInterval(() => this.#print(), this.#terminal ? 1000 : 60_000);
    if (this.#terminal) this.#print();
  }

  show(state: string): void {
    this.#state = state;
    if (this.#terminal) this.#print();
  }

  end(result: string): void {
    clearInterval(this.#timer);
    this.#state = result;
    this.#print();
    if (this.#terminal) write("\n");
  }

  #print(): void {
    const elapsed = (performance.now() - this.#begin) / 1000;
    const [first, ...rest] = `${this.subject} · ${this.#state}`.split("\n");
    const line = [`${first} · ${elapsed.toFixed(1)} s`, ...rest].join("\n");
    write(this.#terminal ? `\r\x1b[2K${line}` : `${line}\n`);
  }
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
