import { dirname, join } from "node:path";
import { z } from "zod";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  ablationRows,
  clusterTables,
  CURVE_HEADS,
  CURVE_POINTS,
  type CurveFit,
  type CurveHead,
  type CurvePoint,
  curveRows,
  domainAnswers,
  domainRows,
  shareOfCountries,
  type VectorisedCase,
} from "../../lib/factuality/study/curves.ts";
import {
  type CurveRow,
  DOMAIN_TRAINING,
  type DomainRow,
  LEARNING_CURVE,
  VERIFIER_ABLATION,
} from "../../lib/factuality/study/tables.ts";
import {
  heldOutKnowledgeClaims,
  type KnowledgeCase,
} from "../../lib/factuality/training/knowledge_claims.ts";
import {
  type HeadSettings,
  judgedBy,
  type SplitCase,
  trainOwnHead,
  USUAL_PENALTY,
} from "../../lib/factuality/training/own_head.ts";
import type { Split } from "../../lib/factuality/training/splits.ts";
import { vectorReader } from "../../lib/factuality/training/vectors.ts";
import { FEATURE_SETS, readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import { askMissing } from "../../lib/files/ask_missing.ts";
import { sha256Hex, shownPath } from "../../lib/files/atomic.ts";
import { openAsking, openProgress, openStatusLine } from "../../lib/files/progress.ts";
import {
  json,
  number,
  oneOf as oneOfWords,
  type Table,
  table,
  text,
  whole,
} from "../../lib/files/table.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { humanSets } from "../study/compare.ts";

const COUNTS = z.array(z.object({ cluster: z.string(), counts: z.array(z.array(z.number())) }));

/** Fits of the learning curve as they come: a run that was ended goes on where it was. */
const LEARNING_FITS = table({
  path: join(FACTUALITY_PATHS.cache, "train", "learning_fits.csv"),
  about: "fits of the learning curve",
  maker: "deno task train tables --only curve",
  columns: {
    run: text("digest of the data and the settings: fits of another run are not this one's"),
    features: oneOfWords(FEATURE_SETS, "what the head reads"),
    head: oneOfWords(Object.keys(CURVE_HEADS) as CurveHead[], "kind of head"),
    share: number("of the training countries"),
    seed: whole("which countries and first weights"),
    countries: whole("trained on"),
    claims: whole("about them"),
    tables: json(z.object({ "three-way": COUNTS, binary: COUNTS }), "counts by cluster"),
  },
  key: ["run", "features", "head", "share", "seed"],
});

/** Cases of each human-labelled set, half of them supported. */
const DRAW = 400;

/** Of every head of the study. */
const SETTINGS: Pick<HeadSettings, "classWeights" | "patience" | "maxIterations"> = {
  classWeights: "balanced",
  patience: 5,
  maxIterations: 100,
};

interface KnowledgeVectors extends SplitCase {
  readonly case: KnowledgeCase;
}

const PARTS = ["ablation", "curve", "domain"] as const;

export const TASK = command(
  "train tables",
  "The tables of notebook 45: the verifier's training with some of its features, heads trained on " +
    "more and more countries, and training on labelled texts of other people.",
  (c) =>
    c.option("--only <part>", PARTS.join(", "), oneOf(...PARTS))
      .option("--threads <n>", "of the encoder", int({ min: 1 }), 2),
  async ({ only, threads }, { signal }) => {
    const wants = (part: typeof PARTS[number]) => only === undefined || only === part;
    const { cache: cacheDirectory } = FACTUALITY_PATHS;
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const { gazetteer } = readTrainedWeights();
    const wordnet = await readWordNet();
    const read = vectorReader("pairs", { cacheDirectory, gazetteer, encoder, wordnet });
    const cases = await heldOutKnowledgeClaims();
    const vectors = await read("claims of the knowledge base", cases);
    const knowledge = cases.map((one, i) => ({ case: one, vector: vectors[i], split: one.split }));
    const written = <Row>(table: Table<Row>, rows: readonly Row[]) => {
      table.write(rows);
      console.log(`Wrote ${shownPath(table.path)}.`);
    };
    if (wants("ablation")) {
      using status = openStatusLine();
      const { training: { l2 } } = readTrainedWeights();
      const tell = (groups: string) => status.show(`ablation: ${groups}`);
      written(VERIFIER_ABLATION, ablationRows(knowledge, l2, randomSource("ablation"), tell));
    }
    if (wants("curve")) {
      const curve = await learningCurve(knowledge, signal);
      if (curve === undefined) return EXIT.incomplete;
      written(LEARNING_CURVE, curve);
    }
    if (!wants("domain")) return EXIT.done;
    const human: VectorisedCase[] = [];
    for (const { name, draw } of humanSets(DRAW)) {
      const vectors = await read(name, draw);
      human.push(...draw.map((one, i) => ({ case: one, vector: vectors[i] })));
    }
    if (human.length > 0) written(DOMAIN_TRAINING, domainTraining(knowledge, human));
    else console.log("../shared/data has none of the human-labelled sets: their table stays.");
    return EXIT.done;
  },
);

/** Undefined where a signal ended it: fits are kept. */
async function learningCurve(
  knowledge: readonly KnowledgeVectors[],
  signal: AbortSignal,
): Promise<readonly CurveRow[] | undefined> {
  const data = knowledge.map(({ case: one, vector }) => [one.id, one.claim, one.label, vector]);
  const run = sha256Hex(JSON.stringify([SETTINGS, USUAL_PENALTY, data])).slice(0, 16);
  Deno.mkdirSync(dirname(LEARNING_FITS.path), { recursive: true });
  using fits = LEARNING_FITS.open();
  const keyOf = (point: CurvePoint) =>
    JSON.stringify([run, point.features, point.head, point.share, point.seed]);
  using progress = openAsking("learning curve");
  const { missing } = await askMissing({
    questions: CURVE_POINTS,
    keyOf,
    table: fits,
    ask: (point) => Promise.resolve({ run, ...curveFit(knowledge, point) }),
    signal,
    onProgress: (state) => progress.show(state),
  });
  if (missing > 0) return undefined;
  const own = CURVE_POINTS.map((point) => fits.rows.get(keyOf(point))!);
  return curveRows(own, randomSource("learning curve"));
}

function settingsOf(
  { features, head, seed }: Pick<CurvePoint, "features" | "head" | "seed">,
  labels: HeadSettings["labels"],
): HeadSettings {
  const l2 = USUAL_PENALTY[features];
  return { ...SETTINGS, l2, labels, features, hidden: CURVE_HEADS[head], seed };
}

function curveFit(knowledge: readonly KnowledgeVectors[], point: CurvePoint): CurveFit {
  const of = (wanted: Split) => knowledge.filter(({ split }) => split === wanted);
  const train = of("train");
  const names = train.map((one) => one.case.cluster);
  const countries = shareOfCountries(names, point.share, point.seed);
  const own = train.filter((one) => countries.has(one.case.cluster));
  const head = trainOwnHead([...own, ...of("development")], settingsOf(point, "three-way"));
  const judged = judgedBy(head, of("test"));
  const tables = {
    "three-way": clusterTables(judged, "three-way"),
    binary: clusterTables(judged, "binary"),
  };
  return { ...point, countries: countries.size, claims: own.length, tables };
}

function domainTraining(
  knowledge: readonly KnowledgeVectors[],
  human: readonly VectorisedCase[],
): readonly DomainRow[] {
  const kinds = FEATURE_SETS.flatMap((features) =>
    (Object.keys(CURVE_HEADS) as CurveHead[]).map((head) => ({ features, head }))
  );
  const setCount = new Set(human.map((one) => one.case.set)).size;
  using progress = openProgress("domain training", kinds.length * (5 + setCount));
  const random = randomSource("domain training");
  return kinds.flatMap((kind) => {
    const settings = settingsOf({ ...kind, seed: 1 }, "binary");
    const answers = domainAnswers({ knowledge, human }, settings, () => progress.advance());
    return domainRows(kind, answers, random);
  });
}
