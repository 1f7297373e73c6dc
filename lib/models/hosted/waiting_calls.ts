/** A call that waits for its key. */
export interface WaitingCall {
  readonly model: string;
  /** Calls go in this order, whenever they came to need a key. */
  readonly ticket: number;
  grant(label: string): void;
  refuse(reason: unknown): void;
}

/** Calls in waiting, model by model, each in the order of its ticket. */
export interface WaitingCalls {
  add(call: WaitingCall): void;
  /** Whether it was waiting still. */
  remove(call: WaitingCall): boolean;
  /** The first of each model, oldest first. */
  heads(): readonly WaitingCall[];
}

export function waitingCalls(): WaitingCalls {
  const queues = new Map<string, WaitingCall[]>();
  return {
    add(call) {
      const queue = queues.get(call.model) ?? [];
      queues.set(call.model, queue);
      // Mostly at the end; a call that comes again goes behind those that came before it.
      queue.splice(queue.findLastIndex(({ ticket }) => ticket < call.ticket) + 1, 0, call);
    },
    remove(call) {
      const queue = queues.get(call.model) ?? [];
      const place = queue.indexOf(call);
      if (place >= 0) queue.splice(place, 1);
      return place >= 0;
    },
    heads: () =>
      [...queues.values()].flatMap((queue) => queue.slice(0, 1))
        .toSorted((a, b) => a.ticket - b.ticket),
  };
}
