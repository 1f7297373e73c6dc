/** Texts of the runtime's network errors (Deno's, and Node's codes) and what they mean for the user. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /dns error|failed to lookup|ENOTFOUND|EAI_AGAIN|name or service not known/i,
    "its name cannot be resolved; check that this machine has a network and DNS",
  ],
  [
    /connection refused|ECONNREFUSED|actively refused/i,
    "it refuses the connection; is it running?",
  ],
  [/unreachable|no route|ENETUNREACH|EHOSTUNREACH/i, "there is no way to it; check the network"],
  [
    /certificate|UnknownIssuer|invalid peer|\btls\b|handshake/i,
    "its certificate cannot be trusted; check the clock and any proxy of this machine",
  ],
  [/timed? ?out|ETIMEDOUT/i, "the connection timed out; check the network"],
  [
    /reset|broken pipe|closed|end of file|\beof\b|unexpected end|incomplete|reading a body|terminated/i,
    "the connection broke off in the middle",
  ],
];

const NETWORK_MESSAGE =
  /^(?:error sending request|fetch failed|network error|Connection error)|reading a body|connection|end of file|body failed/i;

/** An error's message and those of its causes. */
function chain(error: unknown, depth = 4): readonly string[] {
  if (!(error instanceof Error) || depth === 0) return [];
  const code = "code" in error ? String(error.code) : "";
  return [`${error.name} ${code} ${error.message}`, ...chain(error.cause, depth - 1)];
}

/** Whether an error came from the network, not from this program or from a reply. */
export function isNetworkProblem(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^APIConnection/.test(error.constructor.name) ||
    (error instanceof TypeError && NETWORK_MESSAGE.test(error.message));
}

/** Whether the process itself may not use the network: trying again cannot help. */
export function lacksPermission(error: unknown): boolean {
  return chain(error).some((text) => /NotCapable|PermissionDenied|Requires net access/.test(text));
}

/** How far a request came that never reached its host: not to a name's address, or not to the host. */
export type Unsent = "no name" | "no connection";

/** Whether a request was never sent; undefined where it may have been. */
export function unsentBecause(error: unknown): Unsent | undefined {
  const text = chain(error).join(" ");
  const known = MEANINGS.findIndex(([pattern]) => pattern.test(text));
  return (["no name", "no connection", "no connection"] as const)[known];
}

/** What a network error means and what to do; never its own text, which holds the address. */
export function describeNetworkProblem(error: unknown): string {
  const text = chain(error).join(" ");
  const known = MEANINGS.find(([pattern]) => pattern.test(text));
  return known?.[1] ?? "the connection failed; check the network";
}
