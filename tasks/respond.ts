/**
 * What models of this process claim about countries, and how much of it the knowledge base bears out.
 *
 *     deno task respond                    answers, claims with verdicts, ratings
 *     deno task respond --only claims      one step
 *
 * Notebook 43 reads the tables.
 */
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { countryQuestions } from "../lib/factuality/responses/questions.ts";
import { factbookFields } from "../lib/factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../lib/factuality/training/knowledge_claims.ts";
import { runCommand } from "./command.ts";
import { askSystems } from "./respond/ask_systems.ts";
import { classifyClaims } from "./respond/classify_claims.ts";
import { respondOptions, USAGE } from "./respond/options.ts";
import { rateClaims } from "./respond/rate_claims.ts";
import { stopSignal } from "./stop_signal.ts";

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;

async function main(): Promise<number> {
  const { countries, ratings, steps, threads } = respondOptions(Deno.args);
  const signal = stopSignal("rows are kept, and a further run goes on.");
  const options = { threads, signal };
  if (steps.includes("responses")) {
    const fields = await factbookFields(FACTUALITY_PATHS.cache);
    const questions = countryQuestions(fields, { count: countries, seed: KNOWLEDGE_SEED });
    if (!await askSystems(questions, options)) return INCOMPLETE;
  }
  if (steps.includes("claims") && !await classifyClaims(options)) return INCOMPLETE;
  if (steps.includes("ratings") && !await rateClaims(ratings, options)) return INCOMPLETE;
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
