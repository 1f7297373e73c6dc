import type { BatchService, Creation, RemoteBatch } from "../groq_service.ts";

/** What becomes of one line of a batch: an answer, an error, or no line at all. */
export type Fate = { readonly text: string } | "error" | "no line";

export interface FakeHostOptions {
  /** What becomes of a request the n-th time (1, 2, …) that it is in a batch. */
  readonly fate: (customId: string, time: number) => Fate;
  /** Looks at a batch that find it unfinished. */
  readonly unfinishedLooks?: number;
  readonly end?: () => "completed" | "expired" | "cancelled";
  readonly now: () => number;
  /** Called at the start and the end of every request; what it throws ends the process under test. */
  readonly moment: (what: string) => void;
  /** Milliseconds that a request for a batch is on its way; its answer is lost then. 0 is at once. */
  readonly delay?: () => number;
}

interface Made extends RemoteBatch {
  readonly asked: readonly string[];
  looks: number;
}

const NOTHING = { errors: [], outputFileId: undefined, errorFileId: undefined };

/** A host in memory; fails the test when a request is asked in two batches, or after its answer. */
export class FakeHost {
  readonly files: { readonly id: string; readonly name: string; readonly text: string }[] = [];
  readonly batches: Made[] = [];
  /** Requests for a batch that were lost on their way, and when they will arrive. */
  #onTheWay: { readonly at: number; readonly arrive: () => void }[] = [];

  constructor(private readonly options: FakeHostOptions) {}

  service(keyLabel: string): BatchService {
    const { moment, now } = this.options;
    const during = <T>(what: string, work: () => T): Promise<T> => {
      moment(`before ${what}`);
      const arrived = this.#onTheWay.filter(({ at }) => at <= now());
      this.#onTheWay = this.#onTheWay.filter(({ at }) => at > now());
      for (const { arrive } of arrived) arrive();
      const value = work();
      moment(`after ${what}`);
      return Promise.resolve(value);
    };
    return {
      keyLabel,
      batches: () => during("batches", () => this.batches.map((batch) => this.#shown(batch))),
      upload: (name, text) => during("upload", () => this.#addFile(name, text)),
      create: (fileId, announce) => {
        announce();
        return during("create", () => this.#create(fileId));
      },
      retrieve: (id) =>
        during("retrieve", () => {
          const batch = this.batches.find((made) => made.id === id);
          if (batch) batch.looks += 1;
          return batch && this.#shown(batch);
        }),
      content: (id) => during("content", () => this.files.find((file) => file.id === id)?.text),
    };
  }

  timesAsked(): ReadonlyMap<string, number> {
    const all = Map.groupBy(this.batches.flatMap(({ asked }) => asked), (id) => id);
    return new Map([...all].map(([id, times]) => [id, times.length]));
  }

  #addFile(name: string, text: string): string {
    const id = `file_${this.files.length + 1}`;
    this.files.push({ id, name, text });
    return id;
  }

  #create(inputFileId: string): Creation {
    const { delay = () => 0, now } = this.options;
    const arrive = (): RemoteBatch => {
      const { text = "" } = this.files.find(({ id }) => id === inputFileId) ?? {};
      const asked = text.trimEnd().split("\n").map((line): string => JSON.parse(line).custom_id);
      for (const id of asked) this.#requireFree(id);
      const counts = { total: asked.length, completed: 0, failed: 0 };
      const id = `batch_${this.batches.length + 1}`;
      const made = { id, inputFileId, counts, asked, looks: 0, ...NOTHING };
      this.batches.push({ ...made, status: "validating" });
      return this.#shown(this.batches.at(-1)!);
    };
    const late = delay();
    if (late === 0) return { kind: "created", batch: arrive() };
    this.#onTheWay.push({ at: now() + late, arrive });
    return { kind: "unsure", message: "the connection broke off" };
  }

  #requireFree(id: string): void {
    for (const batch of this.batches.filter(({ asked }) => asked.includes(id))) {
      const isEnded = this.#isEnded(batch);
      if (isEnded && typeof this.#fateIn(batch, id) === "string") continue;
      throw new Error(`${id} is asked twice: ${batch.id} ${isEnded ? "answered" : "asks"} it`);
    }
  }

  #fateIn(batch: Made, id: string): Fate {
    const until = this.batches.slice(0, this.batches.indexOf(batch) + 1);
    return this.options.fate(id, until.filter(({ asked }) => asked.includes(id)).length);
  }

  #isEnded({ looks }: Made): boolean {
    return looks > (this.options.unfinishedLooks ?? 0);
  }

  #shown(batch: Made): RemoteBatch {
    if (!this.#isEnded(batch)) return { ...batch, status: "in_progress" };
    const lines = (isError: boolean) =>
      batch.asked.flatMap((id) => {
        const fate = this.#fateIn(batch, id);
        const isMeant = fate !== "no line" && isError === (fate === "error");
        return isMeant ? [`${JSON.stringify(resultLine(id, fate))}\n`] : [];
      }).reverse().join("");
    const kept = (name: string, text: string) =>
      text === "" ? undefined : this.files.find((file) => file.name === name)?.id ??
        this.#addFile(name, text);
    return {
      ...batch,
      status: this.options.end?.() ?? "completed",
      outputFileId: kept(`${batch.id}_output`, lines(false)),
      errorFileId: kept(`${batch.id}_errors`, lines(true)),
    };
  }
}

export function resultLine(customId: string, fate: Fate): object {
  const message = (content: string) => ({ role: "assistant", content });
  const response = typeof fate === "object"
    ? {
      status_code: 200,
      body: { choices: [{ finish_reason: "stop", message: message(fate.text) }] },
    }
    : { status_code: 500, body: { error: { message: "internal error" } } };
  return { id: `batch_req_${customId}`, custom_id: customId, response, error: null };
}
