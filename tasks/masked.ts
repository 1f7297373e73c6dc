/**
 * What masked language models in ONNX need, which nothing else of the project does.
 *
 *     deno task masked --install   transformers.js, as locked, into .cache/transformers (0.5 GB)
 *     deno task masked --check     a tiny model through it, beside values worked out by hand
 */
import { join } from "node:path";
import { runProcess } from "../lib/files/process.ts";
import { transformersFolder } from "../lib/models/masked/transformers_package.ts";
import { runCommand } from "./command.ts";
import { type Agreement, checkTinyModel } from "./masked/check.ts";
import { installTransformers } from "./masked/install.ts";
import { MASKED_USAGE, readMaskedOptions } from "./masked/options.ts";

const CACHE_DIRECTORY = ".cache";
const LOCK = join(import.meta.dirname!, "masked", "transformers.lock.json");

/** Logits are float32: some 1e-7 of relative error a token. */
const SAME_WITHIN = 1e-5;

function report(agreements: readonly Agreement[]): number {
  const differences = agreements.map(({ tokeniser, variant, found, byHand }) => {
    const difference = Math.abs(found - byHand);
    console.log(
      `${tokeniser}, ${variant}: ${found.toFixed(9)} nats, by hand ${byHand.toFixed(9)}, ` +
        `difference ${difference.toExponential(1)}`,
    );
    return difference;
  });
  return differences.every((difference) => difference < SAME_WITHIN) ? 0 : 1;
}

async function masked(args: readonly string[]): Promise<number> {
  const { install, check } = readMaskedOptions(args);
  if (install) {
    const folder = transformersFolder(CACHE_DIRECTORY);
    console.log(`Installing transformers.js into ${folder} …`);
    const lock = await Deno.readTextFile(LOCK);
    await installTransformers({ folder, lock, deno: Deno.execPath(), run: runProcess });
  }
  return check ? report(await checkTinyModel(CACHE_DIRECTORY)) : 0;
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, MASKED_USAGE, () => masked(Deno.args)));
}
