/** Whether this tab may change a run, or another tab has it open. */
type Claim = "writer" | "reader";

/** Of this browser; where it has no locks or denies them, every tab may write. */
export const RUN_CLAIMS = claimsIn(() => globalThis.navigator?.locks);

/** How a tab of this browser comes by the right to change a run, which it keeps until it is gone. */
export function claimsIn(locks: () => Pick<LockManager, "request"> | undefined) {
  const own = new Set<string>();
  const nameOf = (runId: string) => `touchstone-rating:${runId}`;
  return {
    /** Claims a run; one that this tab has already stays its own. */
    async claim(runId: string): Promise<Claim> {
      if (own.has(runId)) return "writer";
      const claim = await new Promise<Claim>((resolve) => {
        const answer = (lock: Lock | null) =>
          lock ? held(() => resolve("writer")) : resolve("reader");
        const asked = locks()?.request(nameOf(runId), { ifAvailable: true }, answer);
        if (asked === undefined) resolve("writer");
        else asked.catch(() => resolve("writer"));
      });
      if (claim === "writer") own.add(runId);
      return claim;
    },
    /** Settles once all tabs before are gone. */
    async whenFree(runId: string): Promise<void> {
      await new Promise<void>((resolve) => {
        locks()?.request(nameOf(runId), () => held(resolve)).catch(() => {});
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
