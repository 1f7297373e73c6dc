import {
  type AbstentionCondition,
  askQuery,
  isAnswered,
} from "../../lib/factuality/abstention/ask.ts";
import { openAnswers } from "../../lib/factuality/abstention/answer.ts";
import type { PromptForm } from "../../lib/factuality/abstention/instructions.ts";
import type { AbstentionQuery } from "../../lib/factuality/abstention/query.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { type LocalSamplingName, openLocalSampling } from "../../lib/models/local_sampling.ts";
import { randomSource } from "../../lib/stats/random.ts";
import type { SamplingModel } from "../../lib/models/sampling_model.ts";

const CONTEXT_TOKENS = 512;
const SEED = 1;

/** Who is asked, and by which form of prompt. */
const ASKED: Readonly<Record<LocalSamplingName, PromptForm>> = {
  "SmolLM2-135M-Instruct": "chat",
  "gemma-3-270m": "few-shot",
};

/** Greedily with and without leave to decline; sampled about some, to see answers of more kinds. */
const WAYS = [
  { instruction: "may decline", temperature: 0, share: 1 },
  { instruction: "none", temperature: 0, share: 1 },
  { instruction: "may decline", temperature: 0.8, share: 1 / 3 },
] as const;

export interface AskRun {
  readonly queries: readonly AbstentionQuery[];
  /** Part of the names of models to ask; all where empty. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

interface Asking {
  readonly query: AbstentionQuery;
  readonly condition: AbstentionCondition;
}

/** Every question to a model, in every way it is asked. */
export function askingsOf(
  model: LocalSamplingName,
  queries: readonly AbstentionQuery[],
): readonly Asking[] {
  return WAYS.flatMap(({ share, ...way }) => {
    const condition = { ...way, form: ASKED[model], seed: SEED };
    const drawn = randomSource(`abstention/${way.temperature}`)
      .sample(queries, Math.round(share * queries.length));
    return (share === 1 ? queries : drawn).map((query) => ({ query, condition }));
  });
}

/** Asks what the table lacks, a row as each answer comes. @returns whether nothing is left to ask. */
export async function askModels(run: AskRun): Promise<boolean> {
  const names = (Object.keys(ASKED) as LocalSamplingName[])
    .filter((name) => name.includes(run.only));
  for (const name of names) {
    const cacheDirectory = FACTUALITY_PATHS.cache;
    await using model = await openLocalSampling(name, {
      ...{ cacheDirectory, threads: run.threads, contextTokens: CONTEXT_TOKENS },
    });
    if (!await askModel(model, askingsOf(name, run.queries), run.signal)) return false;
  }
  return true;
}

async function askModel(
  model: SamplingModel,
  all: readonly Asking[],
  signal: AbortSignal,
): Promise<boolean> {
  using table = openAnswers(FACTUALITY_PATHS.abstentionAnswers);
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
