/** Findings 1 to 3 of RESULTS.md: each a heading, its tables and figures, and what follows from it. */
import { figureImage, findingSection } from "../../figures/finding.ts";
import { markdownTable } from "../../figures/table.ts";
import { artefactMeasure, baselineLabel } from "../../pairs/artefacts.ts";
import {
  againstChance,
  isConstructed,
  lookUp,
  type StatisticLookup,
} from "../../pairs/clustered.ts";
import {
  accuracyCells,
  accuracyRows,
  bestAgainstBaseline,
  emphasised,
  errorsOf,
  listInWords,
  scoredModels,
} from "../../pairs/figure_rows.ts";
import { variantForm } from "../../pairs/pair.ts";
import { choosingPanels } from "../../pairs/panels.ts";
import { scoringTable } from "../../pairs/tables.ts";
import { type Measure, shown } from "../../stats/measure.ts";
import {
  DIRECTIONS,
  readFigureData,
  READOUTS,
  VARIANT_IN_SAGA,
  VARIANT_NOT_IN_SAGA,
} from "./evidence.ts";
import { errorExamples } from "./figures.ts";
import { PHENOMENA, PHENOMENON_NAMES } from "./rules.ts";
import { PAIR_SEED } from "./study.ts";

type FigureData = ReturnType<typeof readFigureData>;

const TOTAL = "likelihood_accuracy_total";

const percent = (measure: Measure) => shown(measure, "percent");

/** Returns the study's part of RESULTS.md, as Markdown. Every number comes from the data. */
export function norseSection(data: FigureData): string {
  const { statistics, panels, items } = data;
  const found = lookUp(statistics);
  const asked = choosingPanels(panels).flatMap(({ models }) => models);
  return [
    "## Old Norse minimal pairs",
    originOfPairs(data),
    choiceFinding(found, asked, items.length),
    frequencyFinding(data),
    baselineFinding(data),
    errorTable(data),
    "Every table is in [notebook 14](notebooks/14_norse_metrics.ipynb), every figure in " +
    "[notebook 15](notebooks/15_norse_figures.ipynb).",
  ].join("\n\n");
}

/** Describes the pairs, their readers, the models, and the headline score. */
function originOfPairs({ items, reverse, review, hosted, statistics }: FigureData): string {
  const rated = (n: number) => review.filter(({ rating }) => rating === n).length;
  const norwegian = review.filter(({ remark }) => remark.includes("Old Norwegian")).length;
  const missing = hosted.filter(({ answered, questions }) => answered < questions).length;
  const inReverse = Math.max(
    ...statistics.filter(({ phenomenon, measure }) => phenomenon === "reverse" && measure === TOTAL)
      .map(({ n }) => n),
    reverse.length,
  );
  const both = inReverse - reverse.length;
  const standing = missing === 0
    ? "The hosted panel is complete."
    : `The specification also names ${hosted.length} hosted models. ` +
      `${hosted.length - missing} of them have answered all pairs ` +
      "([how to ask them](docs/hosted_models.md)).";
  return `**No human expert has read these pairs.** ${items.length} pairs from Völsunga saga are ` +
    `certified by rules; ${reverse.length} more reverse the change. Language models read ` +
    `${review.length} pairs blind. They doubted ${rated(3)} of the saga's sentences and ` +
    `${rated(1)} variants. Of these variants, ${norwegian} are regular in Old Norwegian. The ` +
    `models are small, with 4-bit weights evaluated in 32-bit arithmetic. ${standing}\n\n` +
    `**Directions:** the forward column has all ${items.length} pairs. The reverse column has the ` +
    `${reverse.length} reverse pairs and the ${both} of the ${items.length} that change in that ` +
    `direction. In the mean, those ${both} count as reverse pairs alone. Each phenomenon has the ` +
    "same weight in each direction, so the mean is not that of the two columns.\n\n" +
    "**Headline score:** total log-probability, mean of both directions. A pair is right where " +
    "P(grammatical) > P(ungrammatical): the definition of the Sanskrit specification and of BLiMP. " +
    "In the mean of both directions a mere preference for one spelling scores 50 %, which is " +
    "chance. The reverse pairs were made after the first scores had been seen.";
}

/**
 * Finding 1: whether models choose a sentence or a letter.
 * @param asked models that chose in both orders
 * @param n pairs that each was asked about
 */
export function choiceFinding(found: StatisticLookup, asked: readonly string[], n: number): string {
  const consistent = asked.map((model) => found.measure(model, "consistency"));
  const most = Math.max(...consistent.map((one) => one.kind === "unavailable" ? 1 : one.estimate));
  const byLetter = asked.every((model) => {
    const accuracy = found.measure(model, "accuracy");
    return isConstructed(accuracy) ||
      againstChance(found, model, "accuracy").startsWith("not significantly");
  }) && most < 0.5;
  return findingSection({
    number: 1,
    title: byLetter
      ? "Asked to choose, small models choose a letter, not a sentence"
      : "Asked to choose, models differ in how far they follow the sentence",
    parts: [
      `Each of ${n} pairs is asked in both orders (chance: 50 % right). The best of ` +
      `${asked.length} models chooses the same sentence in both orders on ` +
      `${(100 * most).toFixed(1)} % of the pairs.`,
      markdownTable(
        ["model", "right, %", "d′ (0: guessing)", "same sentence in both orders, %"],
        asked.map((model) => [
          model,
          percent(found.measure(model, "accuracy")),
          shown(found.measure(model, "d_prime")),
          percent(found.measure(model, "consistency")),
        ]),
      ),
    ],
    soWhat: "ask in both orders, and report how often the answer stays the same.",
    files: ["statistics.csv"],
  });
}

/** Accuracies by phenomenon beyond chance, Holm-adjusted within one direction. */
function countBeyondChance(
  data: Pick<FigureData, "statistics" | "panels">,
  rowsOf: (group: string) => string,
) {
  const groups = Object.fromEntries(PHENOMENA.map((name) => [rowsOf(name), name]));
  return accuracyCells({ ...data, readouts: READOUTS }, groups).beyond;
}

/** Finding 2: total log-probability follows the frequency of a form. */
export function frequencyFinding(
  data: Pick<FigureData, "statistics" | "panels" | "models" | "likelihoods">,
): string {
  const found = lookUp(data.statistics);
  const models = scoredModels(data);
  const total = (model: string, group: string) => found.measure(model, TOTAL, group);
  const isBelow = models.every((model) => {
    const forward = total(model, "ALL");
    return forward.kind === "interval" && forward.high < 0.5;
  });
  const alone = models.map((model) => found.measure(model, "likelihood_as_alone"));
  const unscored = models.filter((_, i) => alone[i]!.kind === "unavailable");
  const n = (group: string) => {
    const of = models.find((model) => total(model, group).kind !== "unavailable");
    return of === undefined ? 0 : found.row(of, TOTAL, group).n;
  };
  return findingSection({
    number: 2,
    title: isBelow
      ? "A total log-probability measures how rare a form is"
      : "A total log-probability depends on the direction of the change",
    parts: [
      isBelow
        ? "On the forward pairs every model is right less often than chance (50 %). In context, " +
          "models mostly prefer the same word as without context. They prefer the " +
          "edition's spelling to the normalised one, although both are right."
        : "Accuracy differs between the pairs and their reverse.",
      markdownTable(
        [
          ...["model", `forward (${n("ALL")}), %`, `reverse (${n("reverse")}), %`],
          ...["same preference for the word alone, %", "prefers the edition's spelling, %"],
        ],
        models.map((model, i) => [
          ...[model, percent(total(model, "ALL")), percent(total(model, "reverse"))],
          ...[percent(alone[i]!), percent(total(model, "source.ALL"))],
        ]),
      ),
      unscored.length === 0
        ? ""
        : `${listInWords(unscored)} was not scored on words alone, nor in the edition's spelling.`,
      "There is one accuracy per phenomenon, model and scoring rule. The table counts those that " +
      "differ significantly from chance, Holm-adjusted within each direction:",
      markdownTable(
        ["direction", "accuracies", "above chance", "below chance"],
        DIRECTIONS.map(({ title, rowsOf }) => {
          const { n, aboveAdjusted, belowAdjusted } = countBeyondChance(data, rowsOf);
          return [title, n, aboveAdjusted.size, belowAdjusted.size];
        }),
      ),
      figureImage("norse/forward_and_reverse", "Accuracy on reverse pairs over forward pairs"),
      figureImage("norse/model_by_phenomenon", "Accuracy of each model on each phenomenon"),
    ],
    soWhat: "score both directions, or score each word both with and without its sentence. An " +
      "accuracy below chance says something about the scoring rule, not about grammar.",
    files: ["statistics.csv"],
  });
}

type BaselineData = Pick<
  FigureData,
  | ("artefacts" | "direction" | "drawnAs" | "likelihoods" | "models" | "panels")
  | ("statistics" | "ways")
>;

/** Finding 3: the best score of a model against the best grammar-free baseline. */
export function baselineFinding(data: BaselineData): string {
  const { models, ways, artefacts, direction, drawnAs } = data;
  const found = lookUp(data.statistics);
  const of = direction.rowsOf("ALL");
  const best = bestAgainstBaseline(accuracyRows({ ...data, readouts: READOUTS, of }));
  if (best === undefined) throw new RangeError("Cannot write finding 3: nothing was scored.");
  const { model, baseline, verdict } = best;
  const title = {
    better: "The best score is ahead of every grammar-free baseline",
    level: "No difference shown between the best score and a grammar-free baseline",
    worse: `No scoring rule reaches ${baseline.label}`,
  }[verdict];
  return findingSection({
    number: 3,
    title,
    parts: [
      `The highest score is ${model.group} ${model.label}: ${
        percent(model.measure)
      } % (${drawnAs}, ` +
      `n = ${model.n}, chance: 50 %). ${baseline.label[0]!.toUpperCase()}${
        baseline.label.slice(1)
      } score ${percent(baseline.measure)} %. The paired difference is ` +
      `${percent(model.lead)} points.`,
      scoringTable({ models, ways, directions: DIRECTIONS, found, artefacts }),
      "Accuracy in per cent with 95 % intervals. The last column is the paired difference between " +
      "means of both directions. Unigrams and 5-grams are counted in the saga's other chapters. `in context` is " +
      "log P(word | what precedes) − log P(word alone).",
      noveltyTable(data),
      figureImage("norse/less_baseline", "Paired differences from the best grammar-free baseline"),
    ],
    soWhat: "report such a baseline with every accuracy, on the same pairs, and say how many " +
      "variants do not occur in the text.",
    files: ["statistics.csv", "artefacts.csv"],
  });
}

/**
 * Returns a table of baselines and headline scores by spelling.
 * It also divides pairs by whether the variant is a word of the saga.
 */
function noveltyTable(data: BaselineData): string {
  const { artefacts, direction } = data;
  const found = lookUp(data.statistics);
  const both = direction.rowsOf("ALL");
  const groups = [both, `edition.${both}`, VARIANT_IN_SAGA, VARIANT_NOT_IN_SAGA];
  const sizes = groups.map((group) =>
    artefacts.find(({ phenomenon }) => phenomenon === group)?.n ?? 0
  );
  const names = [
    "normalised",
    "edition's spelling",
    "variant in the saga",
    "variant not in the saga",
  ];
  const counted = [...new Set(artefacts.map(({ baseline }) => baseline))]
    .filter((name) => name.includes("gram"));
  const [known, novel] = [VARIANT_IN_SAGA, VARIANT_NOT_IN_SAGA].map((group) =>
    counted.map((name) => artefactMeasure(artefacts, name, group))
  );
  const isNovelty = counted.every((_, i) => {
    const [one, other] = [known![i]!, novel![i]!];
    return one.kind === "interval" && other.kind === "interval" && one.high < other.low;
  });
  return (isNovelty
    ? "The baselines owe part of their accuracy to unattested variants: they score higher where the " +
      "variant does not occur in the saga."
    : "The same scores in the edition's spelling, and by whether the variant is a word of the saga:") +
    "\n\n" +
    markdownTable(
      ["", ...names.map((name, i) => `${name} (${sizes[i]}), %`)],
      [
        ...counted.map((name) => [
          baselineLabel(name),
          ...groups.map((group) => percent(artefactMeasure(artefacts, name, group))),
        ]),
        ...scoredModels(data).map((model) => [
          `${model}, total`,
          ...groups.map((group) => percent(found.measure(model, TOTAL, group))),
        ]),
      ],
    );
}

/** Four pairs with most errors, one of each phenomenon, drawn by the seed. */
function errorTable(data: FigureData): string {
  const examples = errorExamples(data.items, (pairId) => errorsOf(data, pairId), {
    count: PHENOMENA.length,
    seed: PAIR_SEED,
  });
  const rows = examples.map(({ item: { pair, certificate }, errors }) => {
    const byWay = Map.groupBy(errors, ({ by }) => by);
    const all = data.models.length;
    const who = [...byWay].map(([by, wrong]) => {
      const models = wrong.map(({ model }) => model);
      return `${by}: ${models.length === all ? `all ${all} models` : listInWords(models)}`;
    });
    return [
      ...[pair.id, emphasised(pair), `*${variantForm(pair)}*`, certificate.explanation],
      who.join("; "),
    ];
  });
  const names = listInWords(PHENOMENA.map((name) => PHENOMENON_NAMES[name].toLowerCase()));
  return `### Errors\n\nOne pair each of ${names}, sampled at random from the pairs with most errors.\n\n` +
    markdownTable(["id", "sentence", "variant", "rule", "models in error"], rows);
}
