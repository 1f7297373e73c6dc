import { parseArgs } from "node:util";
import { wholeNumber, withUsage } from "../command.ts";

export const USAGE =
  `deno task respond: models of this process write about countries that nothing was
trained on; what they claim is checked against the knowledge base, and rated by several

  --countries NUMBER  questions, one a country; 30 unless told
  --ratings NUMBER    claims by lot that every rater is asked about; 100 unless told
  --only STEP         responses, claims or ratings; all three unless told
  --threads NUMBER    of evaluation; 2 unless told

Exit code 0: all is there; 1: an error, told in words; 3: stopped, go on with a further run.

Writes questions.csv, model_responses.csv and .json (settings), response_claims.csv and
claim_ratings.csv in data/factuality. Every row is kept as it comes: Ctrl-C ends the run, and a further
run goes on. What was written with other settings is written anew.`;

export const STEPS = ["responses", "claims", "ratings"] as const;

export type Step = typeof STEPS[number];

export interface RespondOptions {
  readonly countries: number;
  readonly ratings: number;
  readonly steps: readonly Step[];
  readonly threads: number;
}

function stepsOf(only: string | undefined): readonly Step[] {
  if (only === undefined) return STEPS;
  const step = STEPS.find((name) => name === only);
  if (step !== undefined) return [step];
  throw new RangeError(
    `Cannot read the options: --only is "${only}"; the steps are ${STEPS.join(", ")}`,
  );
}

/** What a command line asks for. @throws {RangeError} for what is wrong. */
export function respondOptions(args: readonly string[]): RespondOptions {
  const { values } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        countries: { type: "string", default: "30" },
        ratings: { type: "string", default: "100" },
        only: { type: "string" },
        threads: { type: "string", default: "2" },
      },
    }));
  return {
    countries: wholeNumber("countries", values.countries),
    ratings: wholeNumber("ratings", values.ratings),
    steps: stepsOf(values.only),
    threads: wholeNumber("threads", values.threads),
  };
}
