import { parseArgs } from "node:util";
import { withUsage } from "../command.ts";

export const MASKED_OPTIONS = {
  install: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  "held-out": { type: "boolean", default: false },
} as const;

export const MASKED_USAGE = `deno task masked: what masked language models in ONNX need, which
nothing else of the project does, and how the character model was chosen.

  --install    transformers.js, as locked, into .cache/transformers (0.5 GB)
  --check      a tiny model through it, beside pseudo-likelihoods worked out by hand
  --held-out   how well each setting of the character model predicts verses it has not learned

Several are done in this order. Exit code: 0 done and the same; 1 not, and why.`;

/** What to do. */
export interface MaskedOptions {
  readonly install: boolean;
  readonly check: boolean;
  readonly heldOut: boolean;
}

/** @throws {SyntaxError} for what is no option, or where there is nothing to do. */
export function readMaskedOptions(args: readonly string[]): MaskedOptions {
  const { install, check, "held-out": heldOut } = withUsage(
    MASKED_USAGE,
    () => parseArgs({ args: [...args], options: MASKED_OPTIONS }).values,
  );
  if (!install && !check && !heldOut) {
    const options = Object.keys(MASKED_OPTIONS).map((name) => `--${name}`).join(", ");
    throw new SyntaxError(`Cannot tell what to do: name one of ${options}.\n\n${MASKED_USAGE}`);
  }
  return { install, check, heldOut };
}
