import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AbstentionAnswer } from "../../lib/factuality/abstention/answer.ts";
import { ABSTENTION_PATHS } from "../../lib/factuality/abstention/abstention_paths.ts";
import type { AbstentionClassifier } from "../../lib/factuality/abstention/classifier.ts";
import { readSharedLabels } from "../../lib/factuality/abstention/hand_labels.ts";
import {
  type ClassifiedAnswer,
  measuredCsv,
  type MeasuredRow,
  measuredRows,
  readMeasured,
} from "../../lib/factuality/abstention/measured_table.ts";
import type { AbstentionQuery } from "../../lib/factuality/abstention/query.ts";
import { developmentQueries } from "../../lib/factuality/abstention/query_split.ts";
import { SHARED_DATA } from "../../lib/factuality/cases/shared_sets.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { readJsonLines } from "../../lib/files/jsonl.ts";

const BIOGRAPHIES = "factscore_labeled";
const OWN = "local models, test queries";

const BIOGRAPHY = z.object({ topic: z.string(), output: z.string() });

/**
 * Measures classifier and baselines on answers with labels by hand: the local models' to the queries
 * that it did not learn from, and the biographies beside the project where they are; else what was measured on them stays.
 */
export async function measureClassifier(
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
  classifier: AbstentionClassifier,
): Promise<readonly MeasuredRow[]> {
  const learnt = developmentQueries(queries);
  const own = answers.flatMap(({ query_id, answer, label, probability }): ClassifiedAnswer[] =>
    learnt.has(query_id) || label === "" || probability === ""
      ? []
      : [{ cluster: query_id, answer, label, probability }]
  );
  const rows = [...measuredRows(OWN, own), ...await onBiographies(classifier)];
  writeTextAtomic(ABSTENTION_PATHS.measured, measuredCsv(rows));
  return rows;
}

async function onBiographies(classifier: AbstentionClassifier): Promise<readonly MeasuredRow[]> {
  const path = join(SHARED_DATA, `${BIOGRAPHIES}.jsonl`);
  if (!existsSync(path)) {
    return existsSync(ABSTENTION_PATHS.measured)
      ? readMeasured().filter(({ set }) => set === BIOGRAPHIES)
      : [];
  }
  const { rows } = readJsonLines(path, (line) => BIOGRAPHY.parse(line));
  const labelled = readSharedLabels().filter(({ set }) => set === BIOGRAPHIES)
    .map(({ id, label }) => ({ ...rows[id - 1]!, label }));
  const probabilities = await classifier.probabilities(labelled.map(({ topic, output }) => ({
    ...{ name: topic, question: `Tell me a bio of ${topic}.`, answer: output },
  })));
  const classified = labelled.flatMap(({ topic, output, label }, i): ClassifiedAnswer[] => {
    const probability = probabilities[i];
    return probability === undefined
      ? []
      : [{ cluster: topic, answer: output, label, probability }];
  });
  return measuredRows(BIOGRAPHIES, classified);
}
