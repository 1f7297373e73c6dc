import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { BATCH_OPTIONS, BATCH_USAGE, readBatchOptions } from "./batch/options.ts";
import { wholeNumber, withUsage } from "./command.ts";
import { EVALUATE_OPTIONS, EVALUATE_USAGE, parseOptions } from "./evaluate/options.ts";
import { GENERATE_OPTIONS, GENERATE_USAGE, readGenerateOptions } from "./generate/options.ts";
import { MASKED_OPTIONS, MASKED_USAGE, readMaskedOptions } from "./masked/options.ts";
import {
  RATE_BUILD_OPTIONS,
  RATE_BUILD_USAGE,
  RATE_OPTIONS,
  RATE_USAGE,
  readRateBuildOptions,
  readRateOptions,
} from "./rate/options.ts";

const TASKS = [
  ["evaluate", EVALUATE_USAGE, EVALUATE_OPTIONS, parseOptions],
  ["batch", BATCH_USAGE, BATCH_OPTIONS, readBatchOptions],
  ["generate", GENERATE_USAGE, GENERATE_OPTIONS, readGenerateOptions],
  ["masked", MASKED_USAGE, MASKED_OPTIONS, readMaskedOptions],
  ["rate", RATE_USAGE, RATE_OPTIONS, readRateOptions],
  ["rate_build", RATE_BUILD_USAGE, RATE_BUILD_OPTIONS, readRateBuildOptions],
] as const;

Deno.test("withUsage() tells an option that is none with what there is", () => {
  const parse = () => parseArgs({ args: ["--odd"], options: {} });
  assert.throws(() => withUsage("deno task odd [--even]", parse), {
    name: "SyntaxError",
    message: "Unknown option '--odd'.\n\ndeno task odd [--even]",
  });
});

Deno.test("wholeNumber() names the option that is none, or too small", () => {
  assert.equal(wholeNumber("seed", "0", 0), 0);
  for (const text of ["", " ", "0", "1.5", "-3", "ten", "1e400"]) {
    assert.throws(() => wholeNumber("claims", text), {
      name: "RangeError",
      message: `Cannot read the options: --claims is "${text}", not a whole number from 1 on`,
    });
  }
});

for (const [name, usage, options, parse] of TASKS) {
  Deno.test(`deno task ${name} --help prints every option, and an unknown one prints the same`, async () => {
    const task = new URL(`./${name}.ts`, import.meta.url).pathname;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-read", "--allow-env", task, "--help"],
      stderr: "inherit",
    }).output();
    assert.equal(new TextDecoder().decode(stdout), `${usage}\n`);
    assert.equal(code, 0);
    const told = [...usage.matchAll(/^ +--([a-z-]+)/gm)].map(([, option]) => option);
    assert.deepEqual(told.toSorted(), Object.keys(options).toSorted());
    assert.throws(() => parse(["--odd"]), { message: `Unknown option '--odd'.\n\n${usage}` });
  });
}
