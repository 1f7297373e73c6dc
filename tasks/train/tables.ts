import { dirname, join } from "node:path";
import { z } from "zod";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import * as curves from "../../lib/factuality/study/curves.ts";
import * as kept from "../../lib/factuality/study/tables.ts";
import { heldOutKnowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_claims.ts";
import * as heads from "../../lib/factuality/training/own_head.ts";
import type { Split } from "../../lib/factuality/training/splits.ts";
import { vectorReader } from "../../lib/factuality/training/vectors.ts";
import { FEATURE_SETS, readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import { askMissing } from "../../lib/files/ask_missing.ts";
import { sha256Hex, shownPath } from "../../lib/files/atomic.ts";
import { openAsking, openProgress, openStatusLine } from "../../lib/files/progress.ts";
import * as columns from "../../lib/files/table.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { humanSets } from "../study/compare.ts";

const COUNTS = z.array(z.object({ cluster: z.string(), counts: z.array(z.array(z.number())) }));

/** Fits of the learning curve as they come: a run that was ended goes on where it was. */
const LEARNING_FITS = columns.table({
  path: join(FACTUALITY_PATHS.cache, "train", "learning_fits.csv"),
  about: "fits of the learning curve",
  maker: "deno task train tables --only curve",
  columns: {
    run: columns.text(
      "digest of the data and the settings: fits of another run are not this one's",
    ),
    features: columns.oneOf(FEATURE_SETS, "what the head reads"),
    head: columns.oneOf(Object.keys(curves.CURVE_HEADS) as curves.CurveHead[], "kind of head"),
    share: columns.number("of the training countries"),
    seed: columns.whole("which countries and first weights"),
    countries: columns.whole("trained on"),
    claims: columns.whole("about them"),
    tables: columns.json(z.object({ "three-way": COUNTS, binary: COUNTS }), "counts by cluster"),
  },
  key: ["run", "features", "head", "share", "seed"],
});

/** Cases of each human-labelled set, half of them supported. */
const DRAW = 400;

/** Of every head of the study. */
const SETTINGS: Pick<heads.HeadSettings, "classWeights" | "patience" | "maxIterations"> = {
  classWeights: "balanced",
  patience: 5,
  maxIterations: 100,
};

interface KnowledgeVectors extends heads.SplitCase {
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
    const written = <Row>(table: columns.Table<Row>, rows: readonly Row[]) => {
      table.write(rows);
      console.log(`Wrote ${shownPath(table.path)}.`);
    };
    if (wants("ablation")) {
      using status = openStatusLine();
      const { training: { l2 } } = readTrainedWeights();
      const tell = (groups: string) => status.show(`ablation: ${groups}`);
      written(
        kept.VERIFIER_ABLATION,
        curves.ablationRows(knowledge, l2, randomSource("ablation"), tell),
      );
    }
    if (wants("curve")) {
      const curve = await learningCurve(knowledge, signal);
      if (curve === undefined) return EXIT.incomplete;
      written(kept.LEARNING_CURVE, curve);
    }
    if (!wants("domain")) return EXIT.done;
    const human: curves.VectorisedCase[] = [];
    for (const { name, draw } of humanSets(DRAW)) {
      const vectors = await read(name, draw);
      human.push(...draw.map((one, i) => ({ case: one, vector: vectors[i] })));
    }
    if (human.length > 0) written(kept.DOMAIN_TRAINING, domainTraining(knowledge, human));
    else {console.log(
        "../shared/data has none of the human-labelled sets: their table stays.",
      );}
    return EXIT.done;
  },
);

/** Undefined where a signal ended it: fits are kept. */
async function learningCurve(knowledge: readonly KnowledgeVectors[], signal: AbortSignal) {
  const data = knowledge.map(({ case: one, vector }) => [one.id, one.claim, one.label, vector]);
  const run = sha256Hex(JSON.stringify([SETTINGS, heads.USUAL_PENALTY, data])).slice(0, 16);
  Deno.mkdirSync(dirname(LEARNING_FITS.path), { recursive: true });
  using fits = LEARNING_FITS.open();
  const keyOf = (point: curves.CurvePoint) =>
    JSON.stringify([run, point.features, point.head, point.share, point.seed]);
  using progress = openAsking("learning curve");
  const { missing } = await askMissing({
    questions: curves.CURVE_POINTS,
    keyOf,
    table: fits,
    ask: (point) => Promise.resolve({ run, ...curveFit(knowledge, point) }),
    signal,
    onProgress: (state) => progress.show(state),
  });
  if (missing > 0) return undefined;
  const own = curves.CURVE_POINTS.map((point) => fits.rows.get(keyOf(point))!);
  return curves.curveRows(own, randomSource("learning curve"));
}

function settingsOf(
  { features, head, seed }: Pick<curves.CurvePoint, "features" | "head" | "seed">,
  labels: heads.HeadSettings["labels"],
): heads.HeadSettings {
  const l2 = heads.USUAL_PENALTY[features];
  return { ...SETTINGS, l2, labels, features, hidden: curves.CURVE_HEADS[head], seed };
}

function curveFit(knowledge: readonly KnowledgeVectors[], point: curves.CurvePoint) {
  const of = (wanted: Split) => knowledge.filter(({ split }) => split === wanted);
  const train = of("train");
  const names = train.map((one) => one.case.cluster);
  const countries = curves.shareOfCountries(names, point.share, point.seed);
  const own = train.filter((one) => countries.has(one.case.cluster));
  const head = heads.trainOwnHead([...own, ...of("development")], settingsOf(point, "three-way"));
  const judged = heads.judgedBy(head, of("test"));
  const tables = {
    "three-way": curves.clusterTables(judged, "three-way"),
    binary: curves.clusterTables(judged, "binary"),
  };
  return { ...point, countries: countries.size, claims: own.length, tables };
}

function domainTraining(
  knowledge: readonly KnowledgeVectors[],
  human: readonly curves.VectorisedCase[],
): readonly kept.DomainRow[] {
  const kinds = FEATURE_SETS.flatMap((features) =>
    (Object.keys(curves.CURVE_HEADS) as curves.CurveHead[]).map((head) => ({ features, head }))
  );
  const setCount = new Set(human.map((one) => one.case.set)).size;
  using progress = openProgress("domain training", kinds.length * (5 + setCount));
  const random = randomSource("domain training");
  return kinds.flatMap((kind) => {
    const settings = settingsOf({ ...kind, seed: 1 }, "binary");
    const answers = curves.domainAnswers({ knowledge, human }, settings, () => progress.advance());
    return curves.domainRows(kind, answers, random);
  });
}
