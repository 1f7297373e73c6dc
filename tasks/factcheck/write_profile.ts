import { basename, join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { BATCH_FILES } from "../../lib/factuality/batch/evaluate_batch.ts";
import { readResults } from "../../lib/factuality/batch/results_file.ts";
import type { EvaluationRequest } from "../../lib/factuality/evaluation/evaluation.ts";
import { compareProfiles } from "../../lib/factuality/profile/compare_profiles.ts";
import { profilePage } from "../../lib/factuality/profile/page/profile_page.ts";
import { profileJson } from "../../lib/factuality/profile/profile_json.ts";
import { profileOfEvaluations } from "../../lib/factuality/profile/profile_of_evaluations.ts";

/** A batch's hallucination profile in its folder. */
export const PROFILE_FILES = { json: "profile.json", page: "profile.html" } as const;

/** A batch that was evaluated, as far as it was. */
export interface EvaluatedBatch {
  readonly folder: string;
  /** Path of the requests' file: its name stands for whoever wrote the candidates. */
  readonly batch: string;
  readonly requests: readonly EvaluationRequest[];
  readonly madeAt: Date;
  /** Of the intervals. */
  readonly seed: number;
}

/**
 * Writes the profile of all results that the folder has of these requests.
 * @returns the path of its page; undefined where there is no result.
 */
export function writeProfile(
  { folder, batch, requests, madeAt, seed }: EvaluatedBatch,
): string | undefined {
  const wanted = new Set(requests.map(({ id }) => id));
  const evaluations = readResults(join(folder, BATCH_FILES.results))
    .filter(({ request }) => wanted.has(request.id));
  if (evaluations.length === 0) return undefined;
  const model = `candidates of ${basename(batch)}`;
  const of = { model, madeAt: madeAt.toISOString(), seed };
  const profile = profileOfEvaluations(evaluations, of);
  const page = join(folder, PROFILE_FILES.page);
  writeTextAtomic(join(folder, PROFILE_FILES.json), profileJson([profile]));
  writeTextAtomic(page, profilePage(compareProfiles([profile], seed)));
  return page;
}
