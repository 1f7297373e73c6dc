/**
 * Trains the verifier on claims made out of the knowledge base, and measures it.
 *
 *     deno task verifier                  weights, thresholds of the baselines and the table of
 *                                         results into data/factuality
 *     deno task verifier --seed 7         other countries held out, other claims
 *     deno task verifier --cases 6        sentences a country; values are half as many
 *
 * Vectors are kept in the cache: a run that was ended goes on where it was. On texts of other people
 * `deno task compare --human` measures it. Option: --threads N (1 by default).
 */
import { parseArgs } from "node:util";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { countryGazetteer } from "../../lib/factuality/retrieval/country_gazetteer.ts";
import { SPLITS } from "../../lib/factuality/training/country_split.ts";
import { KNOWLEDGE_SEED, knowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { runTraining, weightsOf } from "../../lib/factuality/training/training_run.ts";
import { fitBaselines, type VectorCase } from "../../lib/factuality/training/verifier_fit.ts";
import {
  VERIFIER_WEIGHTS,
  writeBaselineSettings,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { heldOutResults, trainingResults } from "./measure.ts";
import { writeResults } from "./results.ts";
import { vectorMaker } from "./vectors.ts";

const CACHE_DIRECTORY = ".cache";
const RESULTS = "data/factuality/verifier_training.csv";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: String(KNOWLEDGE_SEED) },
    cases: { type: "string", default: "4" },
    threads: { type: "string", default: "1" },
  },
});

const fields = await factbookFields(CACHE_DIRECTORY);
const cases = await knowledgeClaims(fields, {
  seed: Number(options.seed),
  prosePerCountry: Number(options.cases),
  factsPerCountry: Math.ceil(Number(options.cases) / 2),
  splitter: ruleSplitter(),
});
await using encoder = await loadMiniLm({
  cacheDirectory: CACHE_DIRECTORY,
  threads: Number(options.threads),
});
const gazetteer = countryGazetteer(fields).map((entry) => ({ ...entry, also: [...entry.also] }));
const maker = vectorMaker(CACHE_DIRECTORY, gazetteer, { encoder, wordnet: await readWordNet() });
const rows: VectorCase[] = [];
for (const split of SPLITS) {
  const own = cases.filter((one) => one.split === split);
  const vectors = await maker[split === "train" ? "features" : "withBaselines"](split, own);
  rows.push(...own.map((one, i) => ({ case: one, vector: vectors[i] })));
}

const run = runTraining(rows);
const baselines = fitBaselines(rows);
const weights = weightsOf(rows, run, {
  seed: Number(options.seed),
  encoder: encoder.name,
  gazetteer,
});
// One line a list of numbers: a row of coefficients is read as a row.
writeTextAtomic(VERIFIER_WEIGHTS, `${JSON.stringify(weights)}\n`);
writeBaselineSettings(baselines);
writeResults(RESULTS, [
  ...trainingResults(rows, run),
  ...heldOutResults(rows, weights, baselines),
]);
