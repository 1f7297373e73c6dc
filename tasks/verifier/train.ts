/**
 * Trains the verifier on claims made out of the knowledge base, and measures it.
 *
 *     deno task verifier [--seed NUMBER] [--cases NUMBER] [--threads NUMBER]
 *
 * Writes weights, thresholds of the baselines and the table of results into data/factuality. On texts
 * of other people `deno task compare --human` measures it.
 */
import { parseArgs } from "node:util";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { countryGazetteer } from "../../lib/factuality/retrieval/country_gazetteer.ts";
import { SPLITS } from "../../lib/factuality/training/country_split.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { KNOWLEDGE_SEED, knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { runTraining, weightsOf } from "../../lib/factuality/training/training_run.ts";
import { fitBaselines, type VectorCase } from "../../lib/factuality/training/verifier_fit.ts";
import { writeBaselineSettings } from "../../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { runCommand, wholeNumber, withUsage } from "../command.ts";
import { heldOutResults, trainingResults } from "./measure.ts";
import { writeResults } from "./results.ts";
import { type VectorMaker, vectorMaker } from "./vectors.ts";

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;

const USAGE = `deno task verifier: trains the verifier on claims made out of the factbook

  --seed NUMBER     other countries held out, other claims; ${KNOWLEDGE_SEED} unless told
  --cases NUMBER    sentences a country, and half as many values; 4 unless told
  --threads NUMBER  of the encoder; 1 unless told

Vectors are kept in .cache/verifier: a run that was ended goes on where it was.`;

interface TrainOptions {
  readonly seed: number;
  readonly cases: number;
  readonly threads: number;
}

function trainOptions(): TrainOptions {
  const { seed, cases, threads } = withUsage(USAGE, () =>
    parseArgs({
      options: {
        seed: { type: "string", default: String(KNOWLEDGE_SEED) },
        cases: { type: "string", default: "4" },
        threads: { type: "string", default: "1" },
      },
    })).values;
  return {
    seed: wholeNumber("seed", seed, 0),
    cases: wholeNumber("cases", cases),
    threads: wholeNumber("threads", threads),
  };
}

/** Every claim with its features; those that are measured with the baselines' scores, too. */
async function vectorCases(
  cases: readonly KnowledgeCase[],
  maker: VectorMaker,
): Promise<readonly VectorCase[]> {
  const rows: VectorCase[] = [];
  for (const split of SPLITS) {
    const own = cases.filter((one) => one.split === split);
    const vectors = await maker[split === "train" ? "features" : "withBaselines"](split, own);
    rows.push(...own.map((one, i) => ({ case: one, vector: vectors[i] })));
  }
  return rows;
}

async function main(): Promise<number> {
  const { seed, cases: perCountry, threads } = trainOptions();
  const fields = await factbookFields(CACHE_DIRECTORY);
  const cases = await knowledgeClaims(fields, {
    ...{ seed, prosePerCountry: perCountry, factsPerCountry: Math.ceil(perCountry / 2) },
    splitter: ruleSplitter(),
  });
  await using encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  const gazetteer = countryGazetteer(fields).map((entry) => ({ ...entry, also: [...entry.also] }));
  const wordnet = await readWordNet();
  const rows = await vectorCases(
    cases,
    vectorMaker(CACHE_DIRECTORY, gazetteer, { encoder, wordnet }),
  );
  const run = runTraining(rows);
  const baselines = fitBaselines(rows);
  const weights = weightsOf(rows, run, { seed, encoder: encoder.name, gazetteer });
  // One line a list of numbers: a row of coefficients is read as a row.
  writeTextAtomic(FACTUALITY_PATHS.verifierWeights, `${JSON.stringify(weights)}\n`);
  writeBaselineSettings(baselines);
  writeResults(FACTUALITY_PATHS.verifierTraining, [
    ...trainingResults(rows, run),
    ...heldOutResults(rows, weights, baselines),
  ]);
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
