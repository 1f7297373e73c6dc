import {
  type AbstentionCondition,
  type AskedQuery,
  askQuery,
  isAnswered,
} from "../../lib/factuality/abstention/ask.ts";
import { type AbstentionAnswer, openAnswers } from "../../lib/factuality/abstention/answer.ts";
import type { PromptForm } from "../../lib/factuality/abstention/instructions.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import {
  LOCAL_SAMPLING_NAMES,
  type LocalSamplingName,
  openLocalSampling,
} from "../../lib/models/local_sampling.ts";
import type { SamplingModel } from "../../lib/models/sampling_model.ts";
import { randomSource } from "../../lib/stats/random.ts";

const CONTEXT_TOKENS = 512;
const SEED = 1;

/** By which form of prompt each model is asked. */
const FORMS: Readonly<Record<LocalSamplingName, PromptForm>> = {
  "SmolLM2-135M-Instruct": "chat",
  "gemma-3-270m": "few-shot",
};

/** One way of asking. */
export interface Way extends Pick<AbstentionCondition, "instruction" | "temperature"> {
  /** Of the queries, those asked in this way are drawn by lot; 1 for all. */
  readonly share: number;
}

/**
 * With leave to decline about everything, for that is when a model declines if ever; without leave
 * and sampled about some, to see how much hangs on it. 190 answers a model.
 */
export const WAYS: readonly Way[] = [
  { instruction: "may decline", temperature: 0, share: 1 },
  { instruction: "opening given", temperature: 0.8, share: 1 / 6 },
  { instruction: "none", temperature: 0, share: 1 / 3 },
  { instruction: "may decline", temperature: 0.8, share: 1 / 12 },
];

/** What is asked, and where the answers go. */
export interface AskRun {
  readonly queries: readonly AskedQuery[];
  readonly ways: readonly Way[];
  readonly table: string;
  /** Part of the names of models to ask; all where empty. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

interface Asking {
  readonly query: AskedQuery;
  readonly condition: AbstentionCondition;
}

/**
 * Asks what the table lacks, a row as each answer comes.
 * @returns whether nothing is left to ask.
 * @throws {RangeError} where no model has such a name.
 */
export async function askModels(run: AskRun): Promise<boolean> {
  const names = LOCAL_SAMPLING_NAMES.filter((name) => name.includes(run.only));
  if (names.length === 0) {
    const known = LOCAL_SAMPLING_NAMES.join(", ");
    throw new RangeError(`Cannot ask: no model has "${run.only}" in its name. There are ${known}.`);
  }
  for (const name of names) {
    await using model = await openLocalSampling(name, {
      ...{ cacheDirectory: FACTUALITY_PATHS.cache, threads: run.threads },
      contextTokens: CONTEXT_TOKENS,
    });
    if (!await askModel(model, askingsOf(name, run), run)) return false;
  }
  return true;
}

/** The rows that are answers to what is asked now: of several to one question the last. */
export function currentAnswers(
  rows: readonly AbstentionAnswer[],
  run: Pick<AskRun, "queries" | "ways">,
): readonly AbstentionAnswer[] {
  const asked = LOCAL_SAMPLING_NAMES.flatMap((name) =>
    askingsOf(name, run).map((asking) => ({ name, ...asking }))
  );
  return asked.flatMap(({ name, query, condition }) =>
    rows.findLast((row) =>
      row.model === name && isAnswered([row], query, condition, row.model_sha256)
    ) ?? []
  );
}

/** Every question to a model, in every way it is asked. */
function askingsOf(
  model: LocalSamplingName,
  { queries, ways }: Pick<AskRun, "queries" | "ways">,
): readonly Asking[] {
  return ways.flatMap(({ share, instruction, temperature }) => {
    const condition = { instruction, temperature, form: FORMS[model], seed: SEED };
    return drawnEvenly(queries, share).map((query) => ({ query, condition }));
  });
}

/** By lot, as many of what exists as of what does not; in their order. */
function drawnEvenly(queries: readonly AskedQuery[], share: number): readonly AskedQuery[] {
  const random = randomSource("abstention/drawn");
  const drawn = new Set([true, false].flatMap((exists) => {
    const own = queries.filter((query) => query.exists === exists);
    return random.sample(own, Math.round(share * own.length));
  }));
  return queries.filter((query) => drawn.has(query));
}

async function askModel(
  model: SamplingModel,
  all: readonly Asking[],
  { table: path, signal }: AskRun,
): Promise<boolean> {
  using table = openAnswers(path);
  const sha256 = String(model.settings.fileSha256);
  const left = all.filter(({ query, condition }) =>
    !isAnswered(table.rows, query, condition, sha256)
  );
  if (left.length === 0) return true;
  using progress = openProgress(model.name, all.length, { resumed: all.length - left.length });
  for (const { query, condition } of left) {
    const answer = await askQuery(model, query, condition, signal);
    if (answer === undefined) return false;
    table.append(answer);
    progress.advance();
  }
  return true;
}
