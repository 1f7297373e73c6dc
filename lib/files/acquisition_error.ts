/** Why a package, or a file in it, could not be had. */
export type AcquisitionReason =
  | "no-python"
  | "no-pip"
  | "wrong-hash"
  | "no-network"
  | "not-found"
  | "no-matching-wheel"
  | "file-missing-in-package"
  | "disk"
  | "unknown";

/** What is wrong, and what the reader can do about it. */
const EXPLANATIONS: Readonly<Record<AcquisitionReason, readonly [cause: string, remedy: string]>> =
  {
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
      "Check name and version in lib/files/python_packages.ts, and pip's own index settings.",
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
  };

/** A package, or a file in it, that could not be had: names the package, the cause, the remedy. */
export class AcquisitionError extends Error {
  override readonly name = "AcquisitionError";
  constructor(
    readonly reason: AcquisitionReason,
    /** Name and version, or whatever names the package. */
    readonly packageName: string,
    detail = "",
  ) {
    const [cause, remedy] = EXPLANATIONS[reason];
    super(`Cannot acquire ${packageName}: ${cause}${detail && ` (${detail})`}.\n${remedy}`);
  }
}
