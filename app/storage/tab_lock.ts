/** Whether this tab may change a run, or another tab has it open. */
type Claim = "writer" | "reader";

/** Of this browser; where it has no locks or denies them, every tab may write. */
export const claimRun = claimsIn(() => globalThis.navigator?.locks);

/**
 * How a tab of this browser comes by the right to change a run; one that it has already stays its
 * own until it is gone.
 */
export function claimsIn(locks: () => Pick<LockManager, "request"> | undefined) {
  const own = new Set<string>();
  return async (runId: string): Promise<Claim> => {
    if (own.has(runId)) return "writer";
    const claim = await new Promise<Claim>((resolve) => {
      const answer = (lock: Lock | null) => {
        resolve(lock ? "writer" : "reader");
        // A promise that nobody settles: the browser lets go of the lock with the tab.
        return lock ? new Promise(() => {}) : undefined;
      };
      const asked = locks()?.request(`touchstone-rating:${runId}`, { ifAvailable: true }, answer);
      if (asked === undefined) resolve("writer");
      else asked.catch(() => resolve("writer"));
    });
    if (claim === "writer") own.add(runId);
    return claim;
  };
}
