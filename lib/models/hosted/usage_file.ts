import { writeJsonAtomic } from "../../files/json_file.ts";
import {
  mergedUsage,
  NO_USAGE,
  readUsage,
  type Rest,
  type SentRequest,
  withRequest,
} from "./usage.ts";

/** Milliseconds between two writings. */
const PAUSE = 2000;

/** A new rest longer than this, in milliseconds, is written at once: a later process must not miss it. */
const LONG = 60_000;

/** What this process learned, added to its file now and then; nowhere, without a path. */
export class UsageFile {
  #unwritten = NO_USAGE;
  #changed = false;
  #written = -Infinity;

  constructor(private readonly path: string | undefined, private readonly now: () => number) {}

  /** Adds what is new to what stands in the file by now: another process may have written it. */
  write(): void {
    const now = this.now();
    this.#written = now;
    if (this.path !== undefined && this.#changed) {
      writeJsonAtomic(this.path, { ...mergedUsage(readUsage(this.path), this.#unwritten, now) });
    }
    this.#unwritten = { ...this.#unwritten, days: [] };
    this.#changed = false;
  }

  add(sent: SentRequest): void {
    this.#unwritten = withRequest(this.#unwritten, sent, this.now());
    this.#writeSoon(false);
  }

  /** Takes note of the keys that rest now. */
  rest(rests: readonly Rest[]): void {
    const known = new Set(this.#unwritten.rests.map(({ until }) => until));
    const isNew = ({ until }: Rest) => !known.has(until) && Date.parse(until) - this.now() > LONG;
    const isUrgent = rests.some(isNew);
    this.#unwritten = { ...this.#unwritten, rests };
    this.#writeSoon(isUrgent);
  }

  /** An answer must not be lost because a memory cannot be kept: disposing says so in the end. */
  #writeSoon(atOnce: boolean): void {
    this.#changed = true;
    if (!atOnce && this.now() - this.#written < PAUSE) return;
    try {
      this.write();
    } catch {
      this.#changed = true;
    }
  }
}
