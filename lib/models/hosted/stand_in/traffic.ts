import { respond } from "./answering.ts";
import type { Behaviour, FaultPlan, StandInCall } from "./behaviour.ts";
import type { Echo } from "./echo.ts";
import type { BatchPlan } from "./stored_batches.ts";

export interface StandInOptions {
  /** The text of every answer for which the plan names none; "A" where left out. */
  readonly answer?: (call: StandInCall) => string;
  /** What goes wrong, by call; nothing where left out. */
  readonly plan?: FaultPlan;
  /** Milliseconds before an answer; 0 where left out. */
  readonly delayMs?: number;
  /** What `/models` lists. */
  readonly models?: readonly string[];
  /** How completions with log-probabilities are met; there is no such path where left out. */
  readonly echo?: Echo;
  /** How batches go, by number from 1. */
  readonly batchPlan?: (number: number) => BatchPlan;
  /** Which keys share files and batches; all where left out. */
  readonly organisationOf?: (key: string) => string;
}

/** What `options.answer` says, or "A". */
export function answerOf({ answer = () => "A" }: StandInOptions): (call: StandInCall) => string {
  return answer;
}

/** The chat calls of a stand-in server: what came, what was done to it. */
export class Traffic {
  readonly calls: (StandInCall & { readonly behaviour: Behaviour })[] = [];
  mostInFlight = 0;
  private inFlight = 0;
  private readonly asked = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  private readonly started = performance.now();
  private readonly closing = Promise.withResolvers<void>();

  constructor(private readonly options: StandInOptions, private readonly rawUrl: string) {}

  /** @param path As it came, e.g. `/openai/v1/batches`. */
  count(method: string, path: string): void {
    const name = `${method} ${path.replace(/^(?:\/openai)?\/v1/, "")}`;
    this.counts.set(name, this.requests(name) + 1);
  }

  requests(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Lets go of everything that hangs. */
  close(): void {
    this.closing.resolve();
  }

  async take(
    sent: Pick<StandInCall, "key" | "model" | "prompt" | "body">,
  ): Promise<Response> {
    const question = JSON.stringify([sent.model, sent.prompt]);
    const asked = (this.asked.get(question) ?? 0) + 1;
    this.asked.set(question, asked);
    const at = performance.now() - this.started;
    const call = { ...sent, number: this.calls.length + 1, asked, at };
    const behaviour = this.options.plan?.(call) ?? { kind: "answer" };
    this.calls.push({ ...call, behaviour });
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    try {
      return await respond(call, behaviour, this.surroundings());
    } finally {
      this.inFlight -= 1;
    }
  }

  private surroundings() {
    const { delayMs = 0 } = this.options;
    const closing = this.closing.promise;
    return { answer: answerOf(this.options), delayMs, rawUrl: this.rawUrl, closing };
  }
}
