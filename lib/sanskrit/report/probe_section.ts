import { markdownTable } from "../../figures/markdown_table.ts";
import {
  decimalWithInterval,
  type DrawnMeasure,
  lookUp,
  percentWithInterval,
} from "../../pairs/statistic_lookup.ts";
import { type Evidence, figure } from "./evidence.ts";
import { probedModels, SET_NAMES } from "./figure_rows.ts";

/** The text beside new sentences, bare forms, another script and another declension. */
export function probeSection({ probes }: Evidence): string {
  const found = lookUp(probes);
  const models = probedModels(probes);
  const accuracy = (model: string, set: string) =>
    percentWithInterval(found.measure(model, "likelihood_accuracy_total", set));
  return [
    "### Text, new sentences, bare forms, script",
    "",
    "Whatever has read much Sanskrit has read the Gītā. New sentences, made by rule with the same nouns in " +
    "frames that want a case or a number, cannot have been learned by heart; bare forms have no " +
    "sentence that could make one of them wrong, and show which form is the more probable word; " +
    "the lines in IAST are the same pairs in Latin letters. By total log-probability, in per cent " +
    "(`data/sanskrit/probe_statistics.csv`, notebook 24):",
    "",
    markdownTable(
      ["model", ...Object.values(SET_NAMES)],
      models.map((model) => [
        model,
        ...Object.keys(SET_NAMES).map((set) => accuracy(model, set)),
      ]),
    ),
    "",
    figure("text_and_probes", "Accuracy on the text, new sentences, bare forms, IAST and i-stems"),
    "",
    "Text and new sentences by phenomenon. All new contrasts of number put a singular in the place of " +
    "a plural, which is the longer form: totals favour the wrong one there, whatever a model knows.",
    "",
    markdownTable(
      ["model", ...Object.values(PHENOMENON_SETS)],
      models.map((model) => [
        model,
        ...Object.keys(PHENOMENON_SETS).map((set) => accuracy(model, set)),
      ]),
    ),
    "",
    "Differences are over those pairs of both sets that change the same noun from and to the same " +
    "cells, for the sets are not made up alike:",
    "",
    ...models.flatMap((model) => [comparisonSentence(model, found), ""]),
    "The log-probability of the good members, in nats a byte; bytes of one script only are " +
    "compared:",
    "",
    markdownTable(
      ["model", SET_NAMES.text, SET_NAMES.control, "difference"],
      models.map((model) => {
        const nats = (measure: string, set: string) =>
          decimalWithInterval(found.measure(model, measure, set), 3);
        return [
          model,
          ...["text", "control"].map((set) => nats("logprob_per_byte", set)),
          nats("logprob_per_byte_difference", "text-control"),
        ];
      }),
    ),
    "",
    "A line that is more probable than a new sentence may be known by heart; it may also only be " +
    "longer, or of words that are commoner. A line that is less probable does not show that the " +
    "text is unknown: verse may be harder to predict than a plain sentence of three words. So this is " +
    "a sign and no proof either way. The new sentences are plainer too, so that a difference in " +
    "accuracy has several causes.",
  ].join("\n");
}

const PHENOMENON_SETS = {
  "text.case": "case, the Gītā's lines",
  "control.case": "case, new sentences",
  "text.number": "number, the Gītā's lines",
  "control.number": "number, new sentences",
} as const;

const AGAINST = {
  control: "new sentences",
  iast: "the same lines in IAST",
  bare: "bare forms",
} as const;

type Difference = Exclude<DrawnMeasure, { kind: "unavailable" }>;

/** What the differences between the text and the other sets say of one model, in words. */
function comparisonSentence(model: string, found: ReturnType<typeof lookUp>): string {
  const parts = Object.entries(AGAINST).flatMap(([set, words]) => {
    const drawn = found.measure(model, "accuracy_difference", `text-${set}`);
    return drawn.kind === "unavailable"
      ? []
      : [`${words} ${points(drawn)} points (${differenceWords(drawn)})`];
  });
  return parts.length === 0
    ? `**${model}** was not compared across sets.`
    : `**${model}**, accuracy on the Gītā's lines less that on ${parts.join("; on ")}.`;
}

/** A difference in words that claim no more than its interval says. */
export function differenceWords(difference: Difference): string {
  if (difference.kind === "value") return "without an interval";
  if (difference.low > 0) return "better on the Gītā's lines";
  return difference.high < 0 ? "worse on the Gītā's lines" : "not told apart";
}

function points(difference: Difference): string {
  const hundredfold = (share: number) => 100 * share;
  return decimalWithInterval(
    difference.kind === "value" ? { kind: "value", estimate: hundredfold(difference.estimate) } : {
      kind: "interval",
      estimate: hundredfold(difference.estimate),
      low: hundredfold(difference.low),
      high: hundredfold(difference.high),
    },
    1,
  );
}
