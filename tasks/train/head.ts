import { dirname, join } from "node:path";
import { CASE_FORMATS, caseSource } from "../../lib/factuality/datasets/open_cases.ts";
import type { CaseSource } from "../../lib/factuality/datasets/open_cases.ts";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { heldOutKnowledgeClaims } from "../../lib/factuality/training/knowledge_claims.ts";
import { ownHeadFile, USUAL_PENALTY } from "../../lib/factuality/training/own_head.ts";
import { fileCases, type PlacedCase } from "../../lib/factuality/training/splits.ts";
import { vectorReader } from "../../lib/factuality/training/vectors.ts";
import { FEATURE_SETS, LABEL_SCHEMES } from "../../lib/factuality/verifiers/head.ts";
import { readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import type { HeadMeasures, OwnContent } from "../../lib/factuality/verifiers/head.ts";
import { markdownTable } from "../../lib/figures/table.ts";
import { shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { command, EXIT, int, oneOf, real } from "../command.ts";

const HELP = `
FORMAT is one of ${CASE_FORMATS.join(", ")}.
A file of your own is CSV with a header, or JSON objects, one a line, with claim, source and label,
and if you like id, cluster and split (train, development, test). Without splits, claims of one
cluster, with the same words or on one source stay together. Vectors are kept in .cache/verifier:
a run that was ended goes on where it was. evaluation.yaml uses the weights:

  verifier: { kind: trained, path: FILE }`;

const BALANCED = "balanced (half for supported) or as-found";
const SHARE = real({ min: 0.01, max: 0.9 });
const OUT = join(FACTUALITY_PATHS.cache, "train", "verifier.json");
export const TASK = command(
  "train head",
  "Trains a head of your own on labelled claims, and measures it on what was held out. The encoder " +
    "is never trained: with --features embeddings or both this is a frozen MiniLM with a trained head.",
  (c) =>
    c.option(
      "--cases <format:file>",
      "labelled claims; several times for several files",
      (text: string, others: readonly CaseSource[]) => [...others, caseSource(text)],
      [] as readonly CaseSource[],
    )
      .option("--synthetic", "claims made out of the knowledge base, too or alone")
      .option("--labels <scheme>", LABEL_SCHEMES.join(" or "), oneOf(...LABEL_SCHEMES), "three-way")
      .option("--features <set>", FEATURE_SETS.join(", "), oneOf(...FEATURE_SETS), "readable")
      .option("--head <kind>", "logistic or mlp", oneOf("logistic", "mlp"), "logistic")
      .option("--hidden <n>", "units of the mlp's layer", int({ min: 1 }), 32)
      .option("--class-weights <kind>", BALANCED, oneOf("balanced", "as-found"), "balanced")
      .option(
        "--l2 <penalty>",
        "of the weights (default: 0.001, with sentence vectors 0.1)",
        real({ min: 0, max: 1_000 }),
      )
      .option("--patience <n>", "iterations without a better loss", int({ min: 1 }), 10)
      .option("--iterations <n>", "at most so many", int({ min: 1 }), 200)
      .option("--test-share <share>", "of unrelated groups of claims, held out", SHARE, 0.25)
      .option("--development-share <share>", "of them, to stop and calibrate by", SHARE, 0.15)
      .option("--seed <n>", "of splits, order and first weights", int({ min: 0 }), 1)
      .option("--threads <n>", "of the encoder", int({ min: 1 }), 2)
      .option("--out <file>", "for the weights", OUT)
      .addHelpText("after", HELP),
  async (options) => {
    const { cases: sources, synthetic, features, seed, out, threads } = options;
    if (sources.length === 0 && !synthetic) {
      throw new RangeError("Cannot train: give --cases FILE, --synthetic or both.");
    }
    const shares = { test: options.testShare, development: options.developmentShare };
    const placed: PlacedCase[] = [
      ...await fileCases(sources, shares, seed, (words) => console.log(words)),
      ...(synthetic ? await heldOutKnowledgeClaims() : [])
        .map((one) => ({ case: one, split: one.split })),
    ];
    const { cache: cacheDirectory } = FACTUALITY_PATHS;
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    // The names of countries by which the verifier that ships knows them serve here, too.
    const { gazetteer } = readTrainedWeights();
    const tools = { cacheDirectory, gazetteer, encoder, wordnet: await readWordNet() };
    const read = vectorReader(features === "readable" ? "features" : "pairs", tools);
    const vectors = await read("claims", placed.map((one) => one.case));
    using status = openStatusLine();
    const weights = ownHeadFile(
      placed.map((one, i) => ({ ...one, vector: vectors[i] })),
      {
        labels: options.labels,
        features,
        hidden: options.head === "mlp" ? options.hidden : 0,
        l2: options.l2 ?? USUAL_PENALTY[features],
        classWeights: options.classWeights === "balanced" ? "balanced" : "as found",
        patience: options.patience,
        maxIterations: options.iterations,
        seed,
      },
      {
        data: [
          ...sources.map(({ format, path }) => `${format}:${shownPath(path)}`),
          ...(synthetic ? ["claims made out of the knowledge base"] : []),
        ].join(", "),
        gazetteer,
        encoder: { name: encoder.name, dimensions: encoder.dimensions },
      },
      ({ iteration, loss, developmentLoss }) => {
        const [own, other] = [loss, developmentLoss].map((value) => value.toFixed(4));
        status.show(`iteration ${iteration}: loss ${own}, development ${other} nats a claim`);
      },
    );
    Deno.mkdirSync(dirname(out), { recursive: true });
    writeTextAtomic(out, `${JSON.stringify(weights)}\n`);
    status.finish(`${headTable(weights)}\n\nWrote ${shownPath(out)}. In evaluation.yaml:\n`);
    console.log(`verifier: { kind: trained, path: ${shownPath(out)} }`);
    return EXIT.done;
  },
);

const FIGURES = {
  "accuracy": "accuracy",
  "balanced accuracy": "balancedAccuracy",
  "precision of supported": "precision",
  "recall of supported": "recall",
  "F1 of supported": "f1",
  "Brier score": "brier",
  "calibration error": "calibrationError",
} as const;

/** What was measured of a head on held-out claims, for the terminal. */
function headTable({ heldOut, training }: OwnContent): string {
  const { n, unscored, clusters } = heldOut;
  return [
    `Best at iteration ${training.bestIteration} of ${training.iterations}.`,
    `Held out: ${n} claims of ${clusters} clusters, ${unscored} unscored.`,
    "",
    markdownTable(
      ["", "held out [95 % by cluster]"],
      Object.entries(FIGURES).map(([name, key]) => [name, shown(heldOut[key])]),
    ),
  ].join("\n");
}

function shown(figure: HeadMeasures["accuracy"]): string {
  if ("unavailable" in figure) return `– (${figure.unavailable})`;
  const estimate = figure.estimate.toFixed(3);
  if ("noInterval" in figure) return `${estimate} (no interval: ${figure.noInterval})`;
  return `${estimate} [${figure.low.toFixed(3)}, ${figure.high.toFixed(3)}]`;
}
