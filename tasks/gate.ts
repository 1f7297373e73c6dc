/**
 * The one gate: format, lint, types (of notebook cells too) and tests. Every part is run, also
 * after a failure; the last line says how many checks passed and failed.
 */
import { command, EXIT, run } from "./command.ts";
import { chromiumPath } from "./page/browser.ts";

const GATE = command(
  "ok",
  "Every check: format, lint, types, notebook cells, tests (`test` installs packages first)",
  (c) => c.option("--install", "install packages first, as locked"),
  async ({ install }) => {
    const parts = steps(install === true);
    const tallies: Tally[] = [];
    for (const [index, step] of parts.entries()) {
      const begin = performance.now();
      console.log(`\n[${index + 1}/${parts.length}] ${step.name}`);
      const tally = await runStep(step);
      const verdict = tally.failed === 0 ? "ok" : "FAILED";
      console.log(`    ${verdict}, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
      tallies.push(tally);
    }
    const broken = parts.filter((_, index) => tallies[index]!.failed > 0).map(({ name }) => name);
    if (broken.length > 0) console.log(`\nTo be mended: ${broken.join(", ")}`);
    const total = sum(tallies);
    console.log(`\n${closingLine(total)}`);
    return total.failed === 0 ? EXIT.done : EXIT.failed;
  },
);

/** One part of the gate: a run of Deno itself. */
interface Step {
  readonly name: string;
  readonly args: readonly string[];
  /** Whether `args` run the unit tests, whose own count is taken over. */
  readonly tests?: boolean;
}

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
 * Notebooks are left to the step that checks their cells, generated text to what writes it. On the
 * command line this replaces deno.json's own list, so that it stands here whole.
 */
const NOT_FORMATTED = [
  "**/*.ipynb",
  "RESULTS.md",
  "data/",
  "figures/",
  "lib/factuality/report/page.css",
  "node_modules/",
  ".cache/",
  ".venv/",
];

/** The gate's parts, in the order in which they fail fastest. */
function steps(install: boolean): readonly Step[] {
  return [
    ...(install ? [{ name: "packages, as locked", args: ["install", "--frozen"] }] : []),
    { name: "format", args: ["fmt", "--check", `--ignore=${NOT_FORMATTED.join()}`] },
    { name: "lint", args: ["lint"] },
    { name: "types", args: ["check", "--quiet", "lib", "tasks", "app"] },
    { name: "notebook cells", args: ["run", ...CELL_PERMISSIONS, "tasks/notebook/check.ts"] },
    // Types have been checked just now, those of the tests too.
    { name: "tests", args: ["test", "--no-check", "--parallel", ...TEST_PERMISSIONS], tests: true },
  ];
}

async function runStep({ args, tests = false }: Step): Promise<Tally> {
  const child = new Deno.Command(deno, {
    args: [...args],
    stdin: "null",
    stdout: tests ? "piped" : "inherit",
    env: { NO_COLOR: "1" },
  }).spawn();
  const output = tests ? await shown(child.stdout) : "";
  const { success } = await child.status;
  return tests ? tallyOfTests(output, success) : one(success);
}

/** Passes a stream on while it comes, and keeps it. */
async function shown(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    Deno.stdout.writeSync(new TextEncoder().encode(part));
  }
  return text;
}

/** How many checks held and how many did not. */
interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A check that is only good or bad counts as one. */
export function one(success: boolean): Tally {
  return success ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { passed, failed }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
    }),
    { passed: 0, failed: 0 },
  );
}

/**
 * Reads the last summary of `deno test`, e.g. `ok | 12 passed (3 steps) | 0 failed (2s)`. A run
 * that ended badly counts at least one failure, whether or not it came as far as a summary.
 */
export function tallyOfTests(output: string, success: boolean): Tally {
  const summaries = [...output.matchAll(/\| (\d+) passed[^|\n]*\| (\d+) failed/g)];
  const last = summaries.at(-1);
  const passed = Number(last?.[1] ?? 0);
  const failed = Number(last?.[2] ?? 0);
  return { passed, failed: success ? failed : Math.max(failed, 1) };
}

/** The closing line of every task that checks something. */
export function closingLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}

if (import.meta.main) await run(GATE);
