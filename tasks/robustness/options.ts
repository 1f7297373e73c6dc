import { parseArgs } from "node:util";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { wholeNumber, withUsage } from "../command.ts";
import { PART_NAMES, type PartName } from "./part.ts";

export const USAGE =
  `deno task robustness: what do small changes of a text do to what is said of it?

  --only PART       one of ${PART_NAMES.join(", ")}; all unless told
  --config FILE     verifier and judges; data/factuality/evaluation.yaml unless told. With a file of
                    your own the tables go to .cache/robustness/ and nothing in data/ changes
  --threads NUMBER  of evaluation; 2 unless told
  --bbq FILE        in place of these, the bias benchmark BBQ from a file of yours; only aggregates
                    are kept

A text of your own:

  --candidate FILE  a text whose claims are perturbed and reworded, each variant checked
  --source FILE     what the text was written from

Exit code 0: all is answered; 1: an error, told in words; 3: stopped, go on with a further run.

Answers are kept as they come. Ctrl-C keeps them, and a further run asks what is missing.`;

/** What a command line asks for. */
export type RobustnessOptions =
  & { readonly configuration: string; readonly threads: number }
  & (
    | { readonly kind: "parts"; readonly parts: readonly PartName[] }
    | { readonly kind: "bbq"; readonly file: string }
    | { readonly kind: "own text"; readonly candidate: string; readonly source: string }
  );

/** @throws {SyntaxError | RangeError} naming the option, for what is wrong or does not go together. */
export function robustnessOptions(args: readonly string[]): RobustnessOptions {
  const { values } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        only: { type: "string" },
        config: { type: "string", default: FACTUALITY_PATHS.configuration },
        threads: { type: "string", default: "2" },
        bbq: { type: "string" },
        candidate: { type: "string" },
        source: { type: "string" },
      },
    }));
  const { only, bbq, candidate, source } = values;
  if ([only, bbq, candidate].filter((value) => value !== undefined).length > 1) {
    throw new RangeError("Cannot run: of --only, --bbq and --candidate name at most one.");
  }
  const common = {
    configuration: values.config,
    threads: wholeNumber("threads", values.threads),
  };
  if (bbq !== undefined) return { ...common, kind: "bbq", file: bbq };
  if (candidate === undefined && source === undefined) {
    return { ...common, kind: "parts", parts: partsNamed(only) };
  }
  if (candidate === undefined || source === undefined) {
    throw new RangeError("Cannot run: --candidate and --source go together; name both.");
  }
  return { ...common, kind: "own text", candidate, source };
}

function partsNamed(only: string | undefined): readonly PartName[] {
  if (only === undefined) return PART_NAMES;
  const parts = PART_NAMES.filter((name) => name === only);
  if (parts.length > 0) return parts;
  throw new RangeError(`Cannot run: --only is "${only}"; there are ${PART_NAMES.join(", ")}.`);
}
