/** Whether this tab may change a run, or another tab has it open. */
type Claim = "writer" | "reader";

/** What of the browser a claim needs; undefined where the browser lacks it. */
interface TabsOfBrowser {
  readonly locks: Pick<LockManager, "request"> | undefined;
  readonly openChannel: ((name: string) => Channel) | undefined;
  /** Milliseconds in which other tabs must have answered. */
  readonly patience: number;
}

/** The part of a BroadcastChannel that is used. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "onmessage">;

/** By Web Locks; where they are missing or denied, tabs ask one another; else the tab may write. */
export const RUN_CLAIMS = claimsIn({
  get locks() {
    return globalThis.navigator?.locks;
  },
  openChannel: "BroadcastChannel" in globalThis ? (name) => new BroadcastChannel(name) : undefined,
  patience: 250,
});

/** How a tab of this browser comes by the right to change a run, which it keeps until it is gone. */
export function claimsIn(browser: TabsOfBrowser) {
  const own = new Set<string>();
  const nameOf = (runId: string) => `touchstone-rating:${runId}`;
  return {
    /** Claims a run; one that this tab has already stays its own. */
    async claim(runId: string): Promise<Claim> {
      if (own.has(runId)) return "writer";
      const name = nameOf(runId);
      const claim = await byLock(name, browser) ?? await byAsking(name, browser) ?? "writer";
      if (claim === "writer") own.add(runId);
      return claim;
    },
    /** Settles once all tabs before are gone; never where only other tabs can be asked. */
    async whenFree(runId: string): Promise<void> {
      await new Promise<void>((resolve) => {
        browser.locks?.request(nameOf(runId), () => held(resolve)).catch(() => {});
      });
      own.add(runId);
    },
  };
}

/** A lock's promise that nobody settles: the browser lets go of it with the tab. */
function held(tell: () => void): Promise<void> {
  tell();
  return new Promise(() => {});
}

async function byLock(name: string, { locks }: TabsOfBrowser): Promise<Claim | undefined> {
  if (!locks) return undefined;
  return await new Promise((resolve) => {
    const answer = (lock: Lock | null) => lock ? held(() => resolve("writer")) : resolve("reader");
    Promise.resolve(locks.request(name, { ifAvailable: true }, answer))
      .catch(() => resolve(undefined));
  });
}

/** A tab asks whether it may write; whoever goes before it says to it that it may only read. */
interface Message {
  readonly kind: "may-write" | "only-read";
  readonly tab: string;
}

/** Of two tabs that ask at the same moment the one with the smaller identifier has it. */
async function byAsking(name: string, browser: TabsOfBrowser): Promise<Claim | undefined> {
  if (!browser.openChannel) return undefined;
  const tab = crypto.randomUUID();
  const channel = browser.openChannel(name);
  const send = (kind: Message["kind"], tab: string) => channel.postMessage({ kind, tab });
  let state: "asking" | Claim = "asking";
  return await new Promise((resolve) => {
    const settle = (claim: Claim) => {
      if (state === "asking") resolve(state = claim);
    };
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === "only-read") {
        if (data.tab === tab) settle("reader");
      } else if (state === "asking" && data.tab < tab) settle("reader");
      else if (state !== "reader") send("only-read", data.tab);
    };
    send("may-write", tab);
    setTimeout(() => settle("writer"), browser.patience);
  });
}
