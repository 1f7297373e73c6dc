/** Whether this tab may change a run, or another tab has it open. */
export type Claim = "writer" | "reader";

/** What of the browser a claim needs; undefined where the browser lacks it. */
interface TabsOfBrowser {
  readonly locks: Pick<LockManager, "request"> | undefined;
  readonly openChannel: ((name: string) => Channel) | undefined;
  /** Milliseconds in which other tabs must have answered. */
  readonly patience: number;
}

/** The part of a BroadcastChannel that is used. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "onmessage">;

/** A tab asks whether it may write; whoever goes before it says to it that it may only read. */
interface Message {
  readonly kind: "may-write" | "only-read";
  readonly tab: string;
}

/** How a tab comes by the right to change a run, which it keeps until it is gone. */
export interface Claims {
  /** Claims a run; one that this tab has already stays its own. */
  readonly claim: (runId: string) => Promise<Claim>;
  /** Settles once the run is this tab's; never where only other tabs can be asked. */
  readonly whenFree: (runId: string) => Promise<void>;
}

/** By Web Locks; where they are missing or denied, tabs ask one another; else the tab may write. */
export const RUN_CLAIMS: Claims = claimsIn({
  get locks() {
    return globalThis.navigator?.locks;
  },
  get openChannel() {
    return "BroadcastChannel" in globalThis
      ? (name: string) => new BroadcastChannel(name)
      : undefined;
  },
  patience: 250,
});

/** {@link RUN_CLAIMS} for a given browser. */
export function claimsIn(browser: TabsOfBrowser): Claims {
  const own = new Set<string>();
  const nameOf = (runId: string) => `touchstone-rating:${runId}`;
  return {
    async claim(runId) {
      if (own.has(runId)) return "writer";
      const name = nameOf(runId);
      const claim = await byLock(name, browser) ?? await byAsking(name, browser) ?? "writer";
      if (claim === "writer") own.add(runId);
      return claim;
    },
    async whenFree(runId) {
      await queuedLock(nameOf(runId), browser);
      own.add(runId);
    },
  };
}

/** Settles when this tab has the lock, after all that asked before; never where there are none. */
function queuedLock(name: string, { locks }: TabsOfBrowser): Promise<void> {
  return new Promise((resolve) => {
    const held = () => {
      resolve();
      return new Promise<void>(() => {});
    };
    locks?.request(name, held).catch(() => {});
  });
}

/** The lock is held by a promise that nobody settles: the browser lets go of it with the tab. */
function byLock(name: string, { locks }: TabsOfBrowser): Promise<Claim | undefined> {
  if (!locks) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const held = (lock: Lock | null) => {
      resolve(lock ? "writer" : "reader");
      return lock ? new Promise<void>(() => {}) : undefined;
    };
    Promise.resolve(locks.request(name, { ifAvailable: true }, held))
      .catch(() => resolve(undefined));
  });
}

/** Of two tabs that ask at the same moment the one with the smaller identifier has it. */
function byAsking(name: string, browser: TabsOfBrowser): Promise<Claim | undefined> {
  if (!browser.openChannel) return Promise.resolve(undefined);
  const tab = crypto.randomUUID();
  const channel = browser.openChannel(name);
  let state: "asking" | Claim = "asking";
  const send = (message: Message) => channel.postMessage(message);
  return new Promise((resolve) => {
    const settle = (claim: Claim) => {
      if (state === "asking") resolve(state = claim);
    };
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === "only-read") {
        if (data.tab === tab) settle("reader");
      } else if (state === "asking" && data.tab < tab) {
        settle("reader");
      } else if (state !== "reader") {
        send({ kind: "only-read", tab: data.tab });
      }
    };
    send({ kind: "may-write", tab });
    setTimeout(() => settle("writer"), browser.patience);
  });
}
