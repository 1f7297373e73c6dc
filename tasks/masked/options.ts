import { parseArgs } from "node:util";
import { withUsage } from "../command.ts";

export const MASKED_OPTIONS = {
  install: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
} as const;

export const MASKED_USAGE = `deno task masked: what masked language models in ONNX need, which
nothing else of the project does.

  --install   transformers.js, as locked, into .cache/transformers (0.5 GB)
  --check     a tiny model through it, beside pseudo-likelihoods worked out by hand

Both together install, then check. Exit code: 0 done and the same; 1 not, and why.`;

/** What to do. */
export interface MaskedOptions {
  readonly install: boolean;
  readonly check: boolean;
}

/** @throws {SyntaxError} for what is no option, or where there is nothing to do. */
export function readMaskedOptions(args: readonly string[]): MaskedOptions {
  const options = withUsage(
    MASKED_USAGE,
    () => parseArgs({ args: [...args], options: MASKED_OPTIONS }).values,
  );
  if (!options.install && !options.check) {
    throw new SyntaxError(
      `Cannot tell what to do: name --install, --check or both.\n\n${MASKED_USAGE}`,
    );
  }
  return options;
}
