import type { AcquisitionReason } from "./acquisition_error.ts";
import type { ProcessOptions, RunProcess } from "./process.ts";

/** Ways to start Python, tried in this order; `py` is the launcher of Windows. */
const PYTHONS: readonly (readonly [command: string, ...args: string[]])[] = [
  ["python3"],
  ["python"],
  ["py", "-3"],
];

/** A user's own settings may ask questions, draw bars or insist on a virtual environment. */
export const PIP_ENVIRONMENT: Readonly<Record<string, string>> = {
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PIP_PROGRESS_BAR: "off",
  PIP_REQUIRE_VIRTUALENV: "0",
  PYTHONIOENCODING: "utf-8",
};

/** How pip ended: well, or for one of the reasons. Its own words are gone by then. */
export type PipOutcome = "downloaded" | AcquisitionReason;

/**
 * Runs `python -m pip` with the first Python that has it. What pip prints may carry addresses
 * and names of this machine, so it is read here for the kind of failure and then dropped.
 */
export async function runPip(
  args: readonly string[],
  wheelStem: string,
  options: ProcessOptions,
  run: RunProcess,
): Promise<PipOutcome> {
  let worst: PipOutcome = "no-python";
  for (const [command, ...first] of PYTHONS) {
    const result = await run(command, [...first, "-m", "pip", ...args], options);
    options.signal?.throwIfAborted();
    if (result.kind === "missing") continue;
    if (result.code === 0) return "downloaded";
    const reason = classifyPipFailure(result.output, wheelStem);
    if (reason !== "no-python" && reason !== "no-pip") return reason;
    if (reason === "no-pip") worst = reason;
  }
  return worst;
}

/** Texts by which a failure is known, most telling first: pip ends most of them alike. */
const SIGNS: readonly (readonly [AcquisitionReason, RegExp])[] = [
  // Stand-ins for Python: the store's on Windows, the developer tools' on macOS, pyenv's.
  ["no-python", /Python was not found|no developer tools were found|pyenv: .*command not found/i],
  ["no-pip", /No module named '?"?pip\b|No module named .*__main__.*'pip' is a package/i],
  ["wrong-hash", /DO NOT MATCH THE HASHES|HashMismatch|Hashes are required/i],
  ["disk", /No space left|\[Errno (28|30|122)\]|Read-only file system|quota exceeded/i],
  [
    "no-network",
    /NewConnectionError|ConnectTimeout|ReadTimeout|ConnectionReset|ProtocolError|ProxyError|SSLError|Max retries exceeded|IncompleteRead|name resolution|getaddrinfo failed|Network is unreachable|Connection (refused|aborted|broken|reset)|timed out|\b(407|429|5\d\d) (Client|Server) Error|HTTP error (407|429|5\d\d)/i,
  ],
  // After the network: a firewall refuses connections with the same words.
  ["disk", /\[Errno 13\]|Permission denied/i],
  ["no-matching-wheel", /Ignored the following versions that require a different python/i],
  ["not-found", /No matching distribution|Could not find a version|\b404\b/i],
];

/**
 * The reason behind pip's output, read with `-vv`, where skipped files are listed.
 * @param wheelStem `name-version` as file names have it, with underscores in the name.
 */
export function classifyPipFailure(output: string, wheelStem: string): AcquisitionReason {
  const reason = SIGNS.find(([, sign]) => sign.test(output))?.[0] ?? "unknown";
  if (reason !== "not-found") return reason;
  const stem = wheelStem.toLowerCase();
  const skipped = output.split("\n").some((line) =>
    line.includes("Skipping link") && line.toLowerCase().replaceAll("-", "_")
      .includes(stem.replaceAll("-", "_"))
  );
  return skipped ? "no-matching-wheel" : "not-found";
}
