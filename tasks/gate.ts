/**
 * Runs the gate: format, lint, types (with notebook cells) and tests.
 *
 * All parts are run, even after a failure. The last line reports the number of passed and failed
 * checks.
 * @module
 */
import { command, EXIT, run } from "./command.ts";
import { browserPath } from "./page/browser.ts";

const GATE = command(
  "ok",
  "Every check: format, lint, types, notebook cells, tests (`test` installs packages first)",
  (c) => c.option("--install", "install packages first, as locked"),
  async ({ install }) => {
    const rounds = install ? [[INSTALL], ...ROUNDS] : ROUNDS;
    const tallies: Tally[] = [];
    const broken: string[] = [];
    for (const [index, names] of rounds.entries()) {
      console.log(`\n[${index + 1}/${rounds.length}] ${names.join(", ")}`);
      await Promise.all(names.map(async (name) => {
        const begin = performance.now();
        const tally = await runDeno(STEPS[name]!);
        if (tally.failed > 0) broken.push(name);
        const verdict = tally.failed === 0 ? "ok" : "FAILED";
        console.log(
          `    ${name}: ${verdict}, ${((performance.now() - begin) / 1000).toFixed(1)} s`,
        );
        tallies.push(tally);
      }));
    }
    if (broken.length > 0) console.log(`\nTo be mended: ${broken.join(", ")}`);
    const sum = (of: keyof Tally) => tallies.reduce((total, tally) => total + tally[of], 0);
    console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
    return broken.length === 0 ? EXIT.done : EXIT.failed;
  },
);

const deno = Deno.execPath();

/**
 * Permissions of tests: temporary folders, native libraries, kernels, Python, browsers and the
 * loopback network.
 */
const TEST_PERMISSIONS = [
  ...["read", "write", "env", "sys", "ffi", "net=127.0.0.1"].map((name) => `--allow-${name}`),
  `--allow-run=${
    [deno, "git", "python3", "bash", browserPath() ?? [], browserPath("firefox") ?? []].flat()
      .join()
  }`,
];

const CELL_PERMISSIONS = ["--allow-read", "--allow-write=notebooks", `--allow-run=${deno}`];

/**
 * Files excluded from the format check.
 *
 * Notebooks are checked with their cells; generated text by its writer. On the command line the
 * list replaces that of deno.json and must be complete.
 */
const NOT_FORMATTED = "**/*.ipynb,RESULTS.md,data/,figures/,lib/files/page.css," +
  "node_modules/,.cache/,.venv/";

const FOLDERS = ["lib", "tasks", "app"];

/** Slowest tests. They are listed first, so that none of them runs alone at the end. */
const LONGEST_TESTS = ["recovery", "layout", "screen_reader", "rating"].map((name) =>
  `tasks/page/${name}_test.ts`
).concat(
  "lib/models/llama/local_models_test.ts",
  "tasks/end_to_end_test.ts",
  "tasks/site_test.ts",
  "tasks/excerpts_test.ts",
);

const INSTALL = "packages, as locked";

/**
 * Rounds of steps, fastest to fail first. The steps of a round run in parallel, since each uses one
 * core.
 */
const ROUNDS: readonly (readonly string[])[] = [
  ["format", "lint"],
  ["types", "notebook cells"],
  ["tests"],
];

/** Steps of the gate with Deno's arguments. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  [INSTALL]: ["install", "--frozen"],
  "format": ["fmt", "--check", `--ignore=${NOT_FORMATTED}`],
  "lint": ["lint"],
  "types": ["check", "--quiet", ...FOLDERS],
  "notebook cells": ["run", ...CELL_PERMISSIONS, "tasks/notebook/check.ts"],
  // Types have been checked just now, those of the tests too.
  "tests": ["test", "--no-check", "--parallel", ...TEST_PERMISSIONS, ...LONGEST_TESTS, ...FOLDERS],
};

/** Number of passed and failed checks. */
type Tally = { readonly passed: number; readonly failed: number };

/** Runs Deno. Unit tests are counted singly; any other command is one check. */
async function runDeno(args: readonly string[]): Promise<Tally> {
  const isTests = args[0] === "test";
  const child = new Deno.Command(deno, {
    args: [...args],
    stdin: "null",
    stdout: isTests ? "piped" : "inherit",
    // One more than cores: some test always waits for a browser, a kernel or the clock.
    env: { NO_COLOR: "1", DENO_JOBS: String(navigator.hardwareConcurrency + 1) },
  }).spawn();
  let output = "";
  if (isTests) {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += part;
      Deno.stdout.writeSync(new TextEncoder().encode(part));
    }
  }
  const { success } = await child.status;
  return isTests
    ? tallyOfTests(output, success)
    : { passed: Number(success), failed: Number(!success) };
}

/**
 * Parses the last summary of `deno test`, e.g. `ok | 12 passed (3 steps) | 0 failed (2s)`. A failed
 * run counts at least one failure, even without a summary.
 */
export function tallyOfTests(output: string, success: boolean): Tally {
  const summaries = [...output.matchAll(/\| (\d+) passed[^|\n]*\| (\d+) failed/g)];
  const [, passed = 0, failed = 0] = summaries.at(-1)?.map(Number) ?? [];
  return { passed, failed: success ? failed : Math.max(failed, 1) };
}

if (import.meta.main) await run(GATE);
