import { basename, join } from "node:path";
import { z } from "zod";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { caseSha256 } from "../../lib/factuality/study/evaluation/component_answers.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import type { PmiCalibration } from "../../lib/factuality/verifiers/baseline_settings.ts";
import { measureScore } from "../../lib/factuality/verifiers/measure_score.ts";
import { pmiLikeness } from "../../lib/factuality/verifiers/pmi_verifier.ts";
import {
  readBaselineSettings,
  VERIFIER_BASELINES,
  writeBaselineSettings,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { type CsvAppender, openCsvAppender } from "../../lib/files/csv_appender.ts";
import type { StatusLine } from "../../lib/files/status_line.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { languageModel } from "../../lib/models/llama/score.ts";
import { expandedWeights, type Weights } from "../../lib/models/llama/weights.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import { type GgufEntry, MODEL_PACKAGES } from "../../lib/models/panel.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { SMOLLM2 } from "./calibrated_judges.ts";

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;
const CONTEXT_TOKENS = 2048;
/** The configuration's own value. */
const CHUNK_WORDS = 300;

const COLUMNS = [
  ...["model_sha256", "chunk_words", "case", "case_sha256", "score", "milliseconds"] as const,
];

const ROW = z.object({
  model_sha256: z.string(),
  chunk_words: z.coerce.number(),
  case: z.string(),
  case_sha256: z.string(),
  /** Nats a token; empty where the model gave none. */
  score: z.union([z.literal(""), z.coerce.number()]),
  milliseconds: z.coerce.number(),
});

type Row = Readonly<z.infer<typeof ROW>>;
type Table = CsvAppender<typeof COLUMNS[number], Row>;

/** What PMI is measured on, and under which model. */
export interface PmiRun {
  readonly claims: readonly KnowledgeCase[];
  /** A package, or the path of a GGUF file; SmolLM2 where left out. */
  readonly model: string | undefined;
  readonly threads: number;
  /** For verifier_baselines.json. */
  readonly folder: string;
  readonly status: StatusLine;
}

function entryOf(model: string = SMOLLM2.package): GgufEntry {
  const known = MODEL_PACKAGES.find((name) => name === model);
  const id = known === SMOLLM2.package ? SMOLLM2.id : known ?? basename(model, ".gguf");
  return {
    ...{ id, kind: "gguf", roles: ["likelihood"], readout: "generation", precision: "F32" },
    ...{ contextTokens: CONTEXT_TOKENS, licence: "as published" },
    ...known === undefined ? { path: model } : { package: known },
  };
}

/** The score of each claim, those of the table not computed again. */
async function scoresOf(
  file: Weights,
  { id }: GgufEntry,
  { claims, threads, status, table }: PmiRun & { readonly table: Table },
): Promise<readonly Row[]> {
  const keys = { model_sha256: file.sha256, chunk_words: CHUNK_WORDS };
  const known = claims.map((one) =>
    table.rows.find((row) =>
      row.model_sha256 === keys.model_sha256 && row.chunk_words === keys.chunk_words &&
      row.case === one.id && row.case_sha256 === caseSha256(one)
    )
  );
  if (known.every((row) => row !== undefined)) return known;
  const directory = join(CACHE_DIRECTORY, "models");
  const weights = await expandedWeights(file, { directory, precision: "F32", threads });
  await using engine = await openEngine(weights.path, { threads, contextTokens: CONTEXT_TOKENS });
  const reading = { model: languageModel(id, engine), chunkWords: CHUNK_WORDS };
  for (const [index, one] of claims.entries()) {
    if (known[index] !== undefined) continue;
    const begun = performance.now();
    const [found] = await pmiLikeness([one.claim], one.passages, reading);
    const score = found !== undefined && "score" in found ? found.score : "";
    const milliseconds = Number((performance.now() - begun).toFixed(1));
    known[index] = { ...keys, case: one.id, case_sha256: caseSha256(one), score, milliseconds };
    table.append(known[index]);
    status.show(`${id}, PMI: ${index + 1} of ${claims.length}`);
  }
  return known.filter((row) => row !== undefined);
}

function calibrationOf(
  { id }: GgufEntry,
  { sha256: modelSha256 }: Weights,
  claims: readonly KnowledgeCase[],
  rows: readonly Row[],
): PmiCalibration {
  const scored = claims.flatMap(({ cluster, label }, i) => {
    const { score } = rows[i]!;
    return score === "" ? [] : [{ cluster, label, score }];
  });
  const { calibration, ...measurement } = measureScore(scored, {
    on: "claims made out of the factbook, development countries",
    random: randomSource(`${KNOWLEDGE_SEED}/${id}/PMI`),
  });
  const unscored = claims.length - scored.length;
  return { id, modelSha256, chunkWords: CHUNK_WORDS, ...calibration, ...measurement, unscored };
}

function shown(
  { id, measured, areaUnderCurve, threshold, unscored }: PmiCalibration,
  rows: readonly Row[],
): string {
  const { balancedAccuracy, low, high, n } = measured;
  const [value, from, to, area] = [balancedAccuracy, low, high, areaUnderCurve]
    .map((share) => share.toFixed(3));
  const times = rows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return `${id}, PMI: balanced accuracy ${value} (${from} to ${to}), AUC ${area}, n = ${n}, ` +
    `${unscored} unscored, threshold ${threshold.toFixed(3)} nats a token, ` +
    `median ${times[Math.floor(times.length / 2)]} ms a claim`;
}

/**
 * Fits the threshold of PMI under a model, measures it, and writes both into verifier_baselines.json
 * of the folder. Scores are kept in the cache: a run that was ended goes on.
 * @returns the result in words.
 */
export async function calibratePmi(run: PmiRun): Promise<string> {
  const entry = entryOf(run.model);
  const file = await modelFile(entry, CACHE_DIRECTORY);
  const path = join(CACHE_DIRECTORY, "verifier", "pmi_scores.csv");
  using table: Table = openCsvAppender(path, COLUMNS, (record) => ROW.parse(record));
  const rows = await scoresOf(file, entry, { ...run, table });
  const fitted = calibrationOf(entry, file, run.claims, rows);
  const settings = readBaselineSettings();
  const others = (settings.pmi ?? []).filter(({ modelSha256 }) => modelSha256 !== file.sha256);
  const pmi = [...others, fitted].sort((a, b) => a.id < b.id ? -1 : 1);
  writeBaselineSettings({ ...settings, pmi }, join(run.folder, basename(VERIFIER_BASELINES)));
  return shown(fitted, rows);
}
