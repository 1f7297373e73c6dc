import type { BatchService, Creation, RemoteBatch, RemoteFile } from "../service.ts";

/** What becomes of one line of a batch: an answer, an error, or no line at all. */
export type Fate = { readonly text: string } | "error" | "no line";

export interface FakeHostOptions {
  /** What becomes of a request the n-th time (1, 2, …) that it is in a batch. */
  readonly fate: (customId: string, time: number) => Fate;
  /** Looks at a batch that find it unfinished. */
  readonly unfinishedLooks?: number;
  readonly end?: (number: number) => "completed" | "expired" | "cancelled";
  /** Whether metadata comes back. */
  readonly keepsNames?: boolean;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called at the start and the end of every request; what it throws ends the process under test. */
  readonly moment?: (what: string) => void;
  /** Milliseconds that a request for a batch is on its way; its answer is lost then. 0 is at once. */
  readonly delay?: () => number;
}

interface Made extends RemoteBatch {
  readonly asked: readonly string[];
  looks: number;
}

/**
 * A host in memory that keeps books: it fails the test when a request is asked while another batch
 * asks it, or after one has answered it.
 */
export class FakeHost {
  readonly files: (RemoteFile & { readonly text: string })[] = [];
  readonly batches: Made[] = [];
  /** Requests for a batch that were lost on their way, and when they will arrive. */
  readonly #onTheWay: { readonly at: number; readonly arrive: () => void }[] = [];

  constructor(private readonly options: FakeHostOptions) {}

  service(keyLabel: string): BatchService {
    const during = <T>(what: string, work: () => T): Promise<T> => {
      this.options.moment?.(`before ${what}`);
      this.#arrivals();
      const value = work();
      this.options.moment?.(`after ${what}`);
      return Promise.resolve(value);
    };
    return {
      keyLabel,
      files: () => during("files", () => this.files),
      batches: () => during("batches", () => this.batches.map((batch) => this.#shown(batch))),
      upload: (name, text) => during("upload", () => this.#addFile(name, text)),
      create: (fileId, name, announce) => {
        announce();
        return during("create", () => this.#create(fileId, name));
      },
      retrieve: (id) => during("retrieve", () => this.#look(id)),
      content: (id) => during("content", () => this.files.find((file) => file.id === id)?.text),
    };
  }

  /** How often each request was in a batch. */
  timesAsked(): ReadonlyMap<string, number> {
    const times = new Map<string, number>();
    for (const id of this.batches.flatMap(({ asked }) => asked)) {
      times.set(id, 1 + (times.get(id) ?? 0));
    }
    return times;
  }

  #arrivals(): void {
    for (const request of this.#onTheWay.splice(0)) {
      if (request.at <= this.options.now()) request.arrive();
      else this.#onTheWay.push(request);
    }
  }

  #addFile(name: string, text: string): string {
    const id = `file_${this.files.length + 1}`;
    this.files.push({ id, name, text });
    return id;
  }

  #create(inputFileId: string, name: string): Creation {
    const delay = this.options.delay?.() ?? 0;
    const make = () => this.#make(inputFileId, name);
    if (delay === 0) return { kind: "created", batch: make() };
    this.#onTheWay.push({ at: this.options.now() + delay, arrive: make });
    return { kind: "unsure", message: "the connection broke off" };
  }

  #make(inputFileId: string, name: string): RemoteBatch {
    const input = this.files.find(({ id }) => id === inputFileId);
    if (input === undefined) {
      throw new Error(`the test asks for a batch of no file, ${inputFileId}`);
    }
    const asked = input.text.trimEnd().split("\n").map((line) => JSON.parse(line).custom_id);
    for (const id of asked) this.#requireFree(id);
    const number = this.batches.length + 1;
    const counts = { total: asked.length, completed: 0, failed: 0 };
    const named = this.options.keepsNames === false ? {} : { name };
    const base = { id: `batch_${number}`, inputFileId, asked, looks: 0, counts, errors: [] };
    this.batches.push({ ...base, ...named, status: "validating" });
    return this.#shown(this.batches[number - 1]!);
  }

  #requireFree(id: string): void {
    for (const batch of this.batches.filter(({ asked }) => asked.includes(id))) {
      const time = this.#timeIn(batch, id);
      const isEnded = this.#isEnded(batch);
      if (isEnded && typeof this.options.fate(id, time) === "string") continue;
      throw new Error(`${id} is asked twice: ${batch.id} ${isEnded ? "answered" : "asks"} it`);
    }
  }

  #timeIn(batch: Made, id: string): number {
    const until = this.batches.slice(0, this.batches.indexOf(batch) + 1);
    return until.filter(({ asked }) => asked.includes(id)).length;
  }

  #isEnded({ looks }: Made): boolean {
    return looks > (this.options.unfinishedLooks ?? 0);
  }

  #look(id: string): RemoteBatch | undefined {
    const batch = this.batches.find((made) => made.id === id);
    if (batch === undefined) return undefined;
    batch.looks += 1;
    return this.#shown(batch);
  }

  #shown(batch: Made): RemoteBatch {
    if (!this.#isEnded(batch)) return { ...batch, status: "in_progress" };
    const number = this.batches.indexOf(batch) + 1;
    const output = this.#lines(batch, (fate) => typeof fate === "object");
    const errors = this.#lines(batch, (fate) => fate === "error");
    return {
      ...batch,
      status: this.options.end?.(number) ?? "completed",
      ...(output === "" ? {} : { outputFileId: this.#kept(`${batch.id}_output`, output) }),
      ...(errors === "" ? {} : { errorFileId: this.#kept(`${batch.id}_errors`, errors) }),
    };
  }

  #kept(name: string, text: string): string {
    return this.files.find((file) => file.name === name)?.id ?? this.#addFile(name, text);
  }

  #lines(batch: Made, belongs: (fate: Fate) => boolean): string {
    return batch.asked.flatMap((id) => {
      const fate = this.options.fate(id, this.#timeIn(batch, id));
      return belongs(fate) ? [`${JSON.stringify(resultLine(id, fate))}\n`] : [];
    }).reverse().join("");
  }
}

/** A line as Groq writes it, in its output or its errors. */
export function resultLine(customId: string, fate: Fate): object {
  const choice = (content: string) => ({
    finish_reason: "stop",
    message: { role: "assistant", content },
  });
  const response = typeof fate === "object"
    ? { status_code: 200, body: { choices: [choice(fate.text)] } }
    : { status_code: 500, body: { error: { message: "internal error" } } };
  return { id: `batch_req_${customId}`, custom_id: customId, response, error: null };
}
