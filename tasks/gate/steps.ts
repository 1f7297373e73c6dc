import { chromiumPath } from "../page/chromium_path.ts";

/** One part of the gate: a run of Deno itself. */
export interface Step {
  readonly name: string;
  readonly args: readonly string[];
  /** Whether `args` run the unit tests, whose own count is taken over. */
  readonly tests: boolean;
}

/** Folders with TypeScript in them; those that are not there yet are left out. */
const SOURCES = ["lib", "tasks", "app"];

const deno = Deno.execPath();

/**
 * Tests write to temporary folders, load native libraries, start kernels, Python and a browser, and
 * talk to this machine only.
 */
const TEST_PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-ffi",
  "--allow-net=127.0.0.1",
  `--allow-run=${[deno, "git", "python3", chromiumPath() ?? []].flat().join()}`,
];
const CELL_PERMISSIONS = ["--allow-read", "--allow-write=notebooks", `--allow-run=${deno}`];

/**
 * Notebooks are left to the step that checks their cells (see cells/format.ts), generated text to what
 * writes it. On the command line this replaces deno.json's own list, so that it stands here whole.
 */
const NOT_FORMATTED = [
  "**/*.ipynb",
  "RESULTS.md",
  ...["data/", "figures/", "models/", "node_modules/", ".cache/", ".venv/"],
];

const INSTALL: Step = {
  name: "packages, as locked",
  args: ["install", "--frozen"],
  tests: false,
};

/** The gate's parts, in the order in which they fail fastest. */
export function steps({ install }: { readonly install: boolean }): readonly Step[] {
  const sources = SOURCES.filter(isFolder);
  return [
    ...(install ? [INSTALL] : []),
    { name: "format", args: ["fmt", "--check", `--ignore=${NOT_FORMATTED.join()}`], tests: false },
    { name: "lint", args: ["lint"], tests: false },
    { name: "types", args: ["check", "--quiet", ...sources], tests: false },
    {
      name: "notebook cells",
      args: ["run", ...CELL_PERMISSIONS, "tasks/check_notebooks.ts"],
      tests: false,
    },
    // Types have been checked just now, those of the tests too.
    { name: "tests", args: ["test", "--no-check", ...TEST_PERMISSIONS], tests: true },
  ];
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
