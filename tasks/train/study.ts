import { join } from "node:path";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { clusterTables } from "../../lib/factuality/study/training/cluster_tables.ts";
import { domainCsv, domainRows } from "../../lib/factuality/study/training/domain_table.ts";
import {
  domainAnswers,
  type VectorisedCase,
} from "../../lib/factuality/study/training/domain_training.ts";
import {
  CURVE_HEADS,
  CURVE_POINTS,
  type CurveFit,
  type CurveHead,
  type CurvePoint,
  curveRows,
  learningCurveCsv,
  shareOfCountries,
} from "../../lib/factuality/study/training/learning_curve.ts";
import {
  ablationCsv,
  ablationRows,
} from "../../lib/factuality/study/training/verifier_ablation.ts";
import {
  type HeadSettings,
  judgedBy,
  type SplitCase,
  trainOwnHead,
} from "../../lib/factuality/training/heads/train_own_head.ts";
import { USUAL_PENALTY } from "../../lib/factuality/training/heads/usual_penalty.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { FEATURE_SETS } from "../../lib/factuality/verifiers/pair_vector.ts";
import { readVerifierWeights } from "../../lib/factuality/verifiers/weights_files.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { openProgress, openStatusLine } from "../../lib/files/status_line.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { humanSets } from "../compare/human_sets.ts";
import { openFitStore } from "./fit_store.ts";
import type { StudyPart } from "./options.ts";
import { syntheticCases } from "./split_cases.ts";
import type { VectorReader } from "./vectors.ts";

/** Cases of each human-labelled set, half of them supported. */
const DRAW = 400;

/** Of every head of the study. */
const SETTINGS: Pick<HeadSettings, "classWeights" | "patience" | "maxIterations"> = {
  ...{ classWeights: "balanced", patience: 5, maxIterations: 100 },
};

interface KnowledgeVectors extends SplitCase {
  readonly case: KnowledgeCase;
}

/** The tables of notebook 45: learning curve, ablation, training on labelled texts of other people. */
export async function runStudy(
  vectorsOf: VectorReader,
  parts: readonly StudyPart[],
): Promise<void> {
  const cases = await syntheticCases();
  const vectors = await vectorsOf("claims of the knowledge base", cases);
  const knowledge = cases.map((one, i) => ({ case: one, vector: vectors[i], split: one.split }));
  if (parts.includes("ablation")) written(FACTUALITY_PATHS.verifierAblation, ablation(knowledge));
  if (parts.includes("curve")) written(FACTUALITY_PATHS.learningCurve, learningCurve(knowledge));
  if (!parts.includes("domain")) return;
  const human = await humanCases(vectorsOf);
  if (human.length > 0) {
    written(FACTUALITY_PATHS.domainTraining, domainTraining(knowledge, human));
  } else console.log("../shared/data has none of the human-labelled sets: their table stays.");
}

async function humanCases(vectorsOf: VectorReader): Promise<readonly VectorisedCase[]> {
  const cases: VectorisedCase[] = [];
  for (const { name, draw } of humanSets(DRAW)) {
    const vectors = await vectorsOf(name, draw);
    cases.push(...draw.map((one, i) => ({ case: one, vector: vectors[i] })));
  }
  return cases;
}

function written(path: string, csv: string): void {
  writeTextAtomic(path, csv);
  console.log(`Wrote ${shownPath(path)}.`);
}

function ablation(knowledge: readonly KnowledgeVectors[]): string {
  using status = openStatusLine();
  const { training: { l2 } } = readVerifierWeights();
  return ablationCsv(
    ablationRows(
      knowledge,
      l2,
      randomSource("ablation"),
      (groups) => status.show(`ablation: ${groups}`),
    ),
  );
}

function learningCurve(knowledge: readonly KnowledgeVectors[]): string {
  const data = knowledge.map((
    { case: { id, claim, label }, vector },
  ) => [id, claim, label, vector]);
  const run = sha256Hex(JSON.stringify([SETTINGS, USUAL_PENALTY, data])).slice(0, 16);
  Deno.mkdirSync(join(FACTUALITY_PATHS.cache, "train"), { recursive: true });
  using store = openFitStore(join(FACTUALITY_PATHS.cache, "train", "learning_fits.csv"), run);
  const resumed = CURVE_POINTS.filter((point) => store.find(point) !== undefined).length;
  using progress = openProgress("learning curve", CURVE_POINTS.length, { resumed });
  const fits = CURVE_POINTS.map((point) => {
    const known = store.find(point);
    if (known !== undefined) return known;
    const fit = curveFit(knowledge, point);
    store.add(fit);
    progress.advance();
    return fit;
  });
  return learningCurveCsv(curveRows(fits, randomSource("learning curve")));
}

function settingsOf(
  { features, head, seed }: Pick<CurvePoint, "features" | "head" | "seed">,
  labels: HeadSettings["labels"],
): HeadSettings {
  const l2 = USUAL_PENALTY[features];
  return { ...SETTINGS, l2, labels, features, hidden: CURVE_HEADS[head], seed };
}

function curveFit(knowledge: readonly KnowledgeVectors[], point: CurvePoint): CurveFit {
  const train = knowledge.filter(({ split }) => split === "train");
  const countries = shareOfCountries(
    train.map((one) => one.case.cluster),
    point.share,
    point.seed,
  );
  const own = train.filter((one) => countries.has(one.case.cluster));
  const development = knowledge.filter(({ split }) => split === "development");
  const head = trainOwnHead([...own, ...development], settingsOf(point, "three-way"));
  const judged = judgedBy(head, knowledge.filter(({ split }) => split === "test"));
  return {
    ...{ ...point, countries: countries.size, claims: own.length },
    tables: {
      "three-way": clusterTables(judged, "three-way"),
      binary: clusterTables(judged, "binary"),
    },
  };
}

function domainTraining(
  knowledge: readonly KnowledgeVectors[],
  human: readonly VectorisedCase[],
): string {
  const kinds = FEATURE_SETS.flatMap((features) =>
    (Object.keys(CURVE_HEADS) as CurveHead[]).map((head) => ({ features, head }))
  );
  const setCount = new Set(human.map((one) => one.case.set)).size;
  using progress = openProgress("domain training", kinds.length * (5 + setCount));
  const random = randomSource("domain training");
  return domainCsv(kinds.flatMap((kind) => {
    const settings = settingsOf({ ...kind, seed: 1 }, "binary");
    const answers = domainAnswers({ knowledge, human }, settings, () => progress.advance());
    return domainRows(kind, answers, random);
  }));
}
