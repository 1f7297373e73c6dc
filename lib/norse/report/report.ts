import { markdownTable, tally } from "../../figures/markdown_table.ts";
import { artefactMeasure } from "../../pairs/artefacts.ts";
import {
  decimalWithInterval,
  type DrawnMeasure,
  lookUp,
  percentWithInterval,
  type StatisticLookup,
} from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import { PHENOMENA } from "../candidate.ts";
import { errorSection } from "./error_examples.ts";
import { against, type Evidence, PHENOMENON_NAMES } from "./evidence.ts";

const GROUPS = [ALL, ...PHENOMENA] as const;
const NAMES: Readonly<Record<string, string>> = { [ALL]: "All", ...PHENOMENON_NAMES };
/** A counting rule above this has found a cue that needs no grammar. */
const TELLTALE = 0.6;

/** The study's part of RESULTS.md, every number from the evidence. */
export function norseReport(evidence: Evidence, seed: number): string {
  const found = lookUp(evidence.statistics);
  return [
    "## Old Norse minimal pairs",
    datasetSection(evidence),
    accuracySection(evidence, found),
    modelSection(evidence, found),
    phenomenonSection(evidence, found),
    artefactSection(evidence),
    precisionSection(evidence),
    errorSection(evidence, seed),
    LIMITS,
  ].join("\n\n");
}

const figure = (file: string, alt: string) =>
  `<img src="figures/norse/${file}.png" alt="${alt}" width="540">`;

function datasetSection({ items, rejections }: Evidence): string {
  const rows = PHENOMENA.map((phenomenon) => {
    const own = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    const distinct = (of: (item: typeof own[number]) => string) => new Set(own.map(of)).size;
    return [
      PHENOMENON_NAMES[phenomenon],
      own.length,
      distinct(({ certificate }) => certificate.lemma),
      distinct(({ certificate }) => String(certificate.source.chapter)),
      own.filter(({ certificate }) => certificate.marks.length > 0).length,
      rejections.filter((r) => r.phenomenon === phenomenon && r.reason !== "not_selected").length,
    ];
  });
  const marks = tally(items.flatMap(({ certificate }) => certificate.marks));
  return [
    "### The pairs",
    "",
    `${items.length} pairs from Völsunga saga (\`data/norse/minimal_pairs.csv\`, each with its ` +
    "certificate; notebook 12). *Refused* are words that a rule looked at and did not certify.",
    "",
    markdownTable(["phenomenon", "pairs", "lemmas", "chapters", "marked", "refused"], rows),
    "",
    `Marks: ${marks.map(([mark, count]) => `\`${mark}\` ${count}`).join(", ")}. A pair marked ` +
    "with a clash breaks the verb's agreement too; `regular_in_old_norwegian` means that the " +
    "variant is regular in Old Norwegian, so that the norm tested is Icelandic.",
    "",
    figure("pairs_by_chapter", "Pairs by chapter of the saga and phenomenon"),
    "",
    figure("rejections", "Reasons for which candidates were refused"),
  ].join("\n");
}

function percentTable(
  heading: string,
  measure: string,
  evidence: Evidence,
  found: StatisticLookup,
) {
  return markdownTable(
    [heading, ...GROUPS.map((group) => NAMES[group] ?? group)],
    evidence.models.map((model) => [
      model,
      ...GROUPS.map((group) => percentWithInterval(found.measure(model, measure, group))),
    ]),
  );
}

function accuracySection(evidence: Evidence, found: StatisticLookup): string {
  return [
    "### Accuracy",
    "",
    "In per cent, with 95 % intervals (cluster bootstrap by lemma, 5,000 resamples; " +
    "`data/norse/statistics.csv`, notebook 14). Chance is 50. Forced choice: " +
    `${evidence.items.length} pairs in both orders; an invalid answer counts as not correct.`,
    "",
    percentTable("forced choice", "accuracy", evidence, found),
    "",
    "Likelihood: the grammatical member has the higher total log-probability; a tie is not right.",
    "",
    percentTable("likelihood", "likelihood_accuracy_total", evidence, found),
    "",
    figure("overall_accuracy", "Overall accuracy of each model with intervals and chance line"),
    "",
    figure("accuracy_heatmap", "Accuracy of each model on each phenomenon"),
    "",
    figure("choice_against_likelihood", "Forced choice against likelihood, model by phenomenon"),
  ].join("\n");
}

function modelSection(evidence: Evidence, found: StatisticLookup): string {
  const paragraphs = evidence.models.map((model) => {
    const choice = found.measure(model, "accuracy");
    const likelihood = found.measure(model, "likelihood_accuracy_total");
    const bias = found.measure(model, "position_bias");
    return `**${model}.** Asked to choose, it is right in ${percentWithInterval(choice)} % of ` +
      `the answers: ${against(choice, 0.5)}. ${letterHabit(evidence, model)} Its d′ is ` +
      `${decimalWithInterval(found.measure(model, "d_prime"))} and its bias towards A ` +
      `${decimalWithInterval(bias)}; it keeps to the same sentence in both orders for ` +
      `${percentWithInterval(found.measure(model, "consistency"))} % of the pairs. By likelihood ` +
      `it prefers the grammatical member in ${percentWithInterval(likelihood)} %: ` +
      `${against(likelihood, 0.5)}.`;
  });
  return [
    "### Model by model",
    "",
    ...paragraphs.flatMap((paragraph) => [paragraph, ""]),
    figure("position_bias", "Share of answers A, B and invalid in each order"),
    "",
    comparison(evidence, found),
  ].join("\n");
}

function letterHabit({ responses }: Evidence, model: string): string {
  const own = responses.filter((response) => response.model === model);
  const share = (letter: string) =>
    ((100 * own.filter(({ response }) => response === letter).length) / own.length).toFixed(1);
  const invalid = own.filter(({ response }) => response === "INVALID").length;
  return `Of ${own.length} answers ${share("A")} % are A, ${share("B")} % B` +
    (invalid === 0 ? "; none is invalid." : `; ${invalid} chose nothing.`);
}

function comparison({ statistics }: Evidence, found: StatisticLookup): string {
  const pairs = new Set(
    statistics.filter(({ measure }) => measure === "mcnemar_p").map(({ model }) => model),
  );
  return [...pairs].map((pair) => {
    const value = (measure: string) => found.measure(pair, measure);
    const difference = value("accuracy_difference");
    const points: DrawnMeasure = difference.kind === "interval"
      ? {
        kind: "interval",
        estimate: 100 * difference.estimate,
        low: 100 * difference.low,
        high: 100 * difference.high,
      }
      : difference;
    return `**${pair}**, forced choice: difference ${decimalWithInterval(points, 1)} points; ` +
      `exact McNemar on pairs p = ${decimalWithInterval(value("mcnemar_p"), 3)}, ` +
      `Holm-adjusted ${decimalWithInterval(value("mcnemar_p_holm"), 3)}.`;
  }).join("\n\n");
}

function phenomenonSection(evidence: Evidence, found: StatisticLookup): string {
  const paragraphs = PHENOMENA.map((phenomenon) => {
    const n = evidence.items.filter(({ pair }) => pair.phenomenon === phenomenon).length;
    const verdicts = evidence.models.map((model) => {
      const choice = found.measure(model, "accuracy", phenomenon);
      const likelihood = found.measure(model, "likelihood_accuracy_total", phenomenon);
      return `${model} chooses ${percentWithInterval(choice)} % right (${against(choice, 0.5)}) ` +
        `and by likelihood ${percentWithInterval(likelihood)} % (${against(likelihood, 0.5)})`;
    });
    const needed = found.measure("(design)", "minimum_detectable_accuracy", phenomenon);
    const strict = found.measure("(design)", "minimum_detectable_accuracy_by_lemma", phenomenon);
    return `**${PHENOMENON_NAMES[phenomenon]}** (${n} pairs). ${
      verdicts.join("; ")
    }. An accuracy ` +
      `below ${percentWithInterval(needed)} % (pairs independent) or ` +
      `${percentWithInterval(strict)} % (lemmas independent) could not be told from guessing here.`;
  });
  return ["### Phenomenon by phenomenon", "", paragraphs.join("\n\n")].join("\n");
}

function artefactSection({ artefacts, balanced, items }: Evidence): string {
  const names = [...new Set(artefacts.map(({ baseline }) => baseline))];
  const telltale = artefacts.filter(({ accuracy, phenomenon }) =>
    phenomenon !== ALL && accuracy.kind !== "unavailable" && accuracy.estimate > TELLTALE
  );
  const list = telltale.map(({ baseline, phenomenon }) =>
    `${baseline} on ${(NAMES[phenomenon] ?? phenomenon).toLowerCase()} ` +
    `(${percentWithInterval(artefactMeasure(artefacts, baseline, phenomenon))} %)`
  );
  return [
    "### Do the pairs give themselves away?",
    "",
    "Rules that know no grammar, in per cent (ties half; `data/norse/artefacts.csv`, notebook " +
    "14). The counted ones learn from the saga's other chapters.",
    "",
    markdownTable(
      ["baseline", ...GROUPS.map((group) => NAMES[group] ?? group)],
      names.map((name) => [
        name,
        ...GROUPS.map((group) => percentWithInterval(artefactMeasure(artefacts, name, group))),
      ]),
    ),
    "",
    telltale.length === 0
      ? "None beats 60 % on any phenomenon."
      : `**Above 60 %:** ${list.join("; ")}. A model that scores so high there may have used the ` +
        "same cue. The variant's form is rare because it is wrong, so counts of forms carry " +
        "grammar with them; a length cue does not.",
    "",
    `\`data/norse/balanced_subset.csv\` names the ${balanced.length} of ${items.length} pairs on ` +
    "which neither length nor word frequency helps; notebook 14 gives the models' accuracy on it.",
  ].join("\n");
}

function precisionSection({ precision, agreement }: Evidence): string {
  const flips = [...Map.groupBy(precision, ({ model }) => model)].map(([model, rows]) => {
    const turned = rows.filter((row) => Math.sign(row.expanded) !== Math.sign(row.shipped)).length;
    const largest = Math.max(...rows.map((row) => Math.abs(row.expanded - row.shipped)));
    return [model, rows.length, turned, percent(turned, rows.length), largest.toFixed(2)];
  });
  const engines = [...Map.groupBy(agreement, ({ model }) => model)].map(([model, rows]) => {
    const differences = rows.map(({ llama, pytorch }) => Math.abs(llama - pytorch));
    const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
    return [model, rows.length, mean.toFixed(3), Math.max(...differences).toFixed(3)];
  });
  const missing = "Not measured on this machine.";
  return [
    "### Can the scores be trusted to the nat?",
    "",
    "All scores are taken on the shipped weights expanded to 32 bits. PyTorch on the same weights, " +
    "difference of a sentence's log-probability in nats (`data/norse/pytorch_agreement.csv`, " +
    "`deno task bench agreement`):",
    "",
    engines.length === 0
      ? missing
      : markdownTable(["model", "sentences", "mean", "largest"], engines),
    "",
    "The files as shipped, evaluated by their quantised kernels, would have preferred the other " +
    "member this often (`data/norse/precision.csv`, `deno task bench precision`):",
    "",
    flips.length === 0 ? missing : markdownTable(
      ["model", "pairs", "turned", "share", "largest change of a pair's log-odds, nats"],
      flips,
    ),
  ].join("\n");
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const LIMITS = [
  "### Limits",
  "",
  "- Models this small have seen little or no Old Norse. Where a table says that a result is not " +
  "told apart from chance, it is near chance, and no ranking of the models follows from it.",
  "- A likelihood above chance shows that a model finds unseen spellings less probable. Beside a " +
  "counting rule that does as well, it is no evidence of grammar.",
  "- One saga, one edition, one reconstruction of the spelling. In quirky case most first- and " +
  "second-person pairs break the verb's agreement as well (`verb_person_clash`); they are marked.",
  "- The pairs were certified by rules and read by graders who know grammars, not by speakers.",
  "- The hosted panel of four models awaits a key; it is not part of these numbers.",
].join("\n");
