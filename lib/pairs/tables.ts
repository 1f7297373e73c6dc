/** Markdown tables of pairs, panels, runs and measures, for notebooks and commands. */
import { markdownTable, tally } from "../figures/table.ts";
import { type Measure, shown } from "../stats/measure.ts";
import { type CostTotal, totalOf } from "../models/hosted/estimate.ts";
import { formatReturn } from "../models/hosted/key_ring.ts";
import { ALWAYS_FIRST, RANDOM } from "../models/baselines.ts";
import { modelLabel } from "../models/masked/pseudo_likelihood.ts";
import type { HostedEntry, PanelEntry } from "../models/panel.ts";
import { readSettings } from "./addresses.ts";
import type { PairLikelihood, Response } from "./answers.ts";
import { type Artefact, artefactMeasure, baselineLabel, bestArtefact } from "./artefacts.ts";
import type { CertifiedPair } from "./certify.ts";
import {
  ALL,
  DESIGN,
  isConstructed,
  lookUp,
  pValue,
  type Statistic,
  type StatisticLookup,
} from "./clustered.ts";
import { certificateRecords, type DatasetItem } from "./dataset.ts";
import type { HostedCostEstimate, HostedStatus, PendingWork, WorkDone } from "./evaluate.ts";
import type { OrderDesign } from "./forced_choice.ts";
import { type Certificate, type Rejection, variantForm } from "./pair.ts";
import type { CompletePanel, StudyPanel } from "./panels.ts";
import type { SelectionReport } from "./select.ts";

/**
 * Table of certified pairs by phenomenon and construction. Constructions with one pair share the
 * last row.
 */
export function frameTable(certified: readonly CertifiedPair[]): string {
  const frames = Map.groupBy(
    certified,
    ({ pair, certificate }) => `${pair.phenomenon} ${certificate.construction}`,
  );
  const named = [...frames].filter(([, { length }]) => length > 1);
  const single = [...frames].filter(([, { length }]) => length === 1).flatMap(([, own]) => own);
  const row = (name: readonly string[], members: readonly CertifiedPair[]) => {
    const certificates = members.map(({ certificate }) => certificate);
    const marked = certificates.filter(({ marks }) => marks.length > 0);
    const lemmas = new Set(certificates.map(({ lemma }) => lemma));
    return [...name, members.length, marked.length, lemmas.size];
  };
  return markdownTable(["phenomenon", "frame", "certified", "with a mark", "lemmas"], [
    ...named.toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => row(name.split(" "), members)),
    ...single.length === 0 ? [] : [row(["", "one pair each"], single)],
  ]);
}

/**
 * Table of the 24 most frequent reasons for rejection by phenomenon, each with its first word, and
 * the sum of the others.
 */
export function reasonTable(rejections: readonly Rejection[]): string {
  const nameOf = ({ phenomenon, reason }: Rejection) => `${phenomenon} ${reason}`;
  const counts = tally(rejections.map(nameOf));
  const others = counts.slice(24);
  const rest = others.reduce((sum, [, count]) => sum + count, 0);
  return markdownTable(
    ["phenomenon", "reason", "words", "for example"],
    [
      ...counts.slice(0, 24).map(([name, count]) => {
        const first = rejections.find((rejection) => nameOf(rejection) === name);
        return [...name.split(" "), count, first?.candidate];
      }),
      ...(others.length === 0 ? [] : [["all", `${others.length} rarer reasons`, rest, undefined]]),
    ],
  );
}

export function selectionTable(report: Readonly<Record<string, SelectionReport>>): string {
  return markdownTable(
    ["phenomenon", "chosen", "of candidates", "most of one lemma", "tier 1 / 2 / 3", "penalised"],
    Object.entries(report).map(([name, own]) => {
      const { chosen, candidates, highestPerLemma, tiers, penalised } = own;
      return [name, chosen, candidates, highestPerLemma, tiers.join(" / "), penalised];
    }),
  );
}

export function pairTable(items: readonly DatasetItem[]): string {
  return markdownTable(
    ["id", "grammatical", "target → variant", "why the variant is wrong"],
    items.map(({ pair, certificate }) => {
      const change = `**${pair.target}** → ${variantForm(pair)}`;
      return [pair.id, pair.grammatical, change, certificate.explanation];
    }),
  );
}

/** Table of a certificate with the field names of `certificates.csv`. */
export function certificateTable(certificate: Certificate): string {
  const [record = {}] = certificateRecords([certificate]);
  const [[, id] = ["", ""], ...fields] = Object.entries(record);
  return markdownTable(["", id], fields.map(([name, value]) => [name, value || undefined]));
}

export function progressTable(
  remaining: readonly PendingWork[],
  responses: readonly Response[],
  likelihoods: readonly PairLikelihood[],
): string {
  return markdownTable(
    ["model", "answers", "A / B / invalid", "answers missing", "pairs scored", "pairs missing"],
    remaining.map(({ entry, answers, likelihoods: unscored }) => {
      const own = responses.filter(({ model }) => model === entry.id);
      const count = (what: string) => own.filter(({ response }) => response === what).length;
      const scored = likelihoods.filter(({ model }) => model === entry.id).length;
      const counts = ["A", "B", "INVALID"].map(count);
      return [entry.id, own.length, counts.join(" / "), answers, scored, unscored];
    }),
  );
}

export function panelTable(models: readonly PanelEntry[]): string {
  return markdownTable(
    ["model", "asked for", "choice read from", "weights", "licence"],
    models.map((entry) => {
      const host = entry.kind === "groq" ? "at Groq" : "at a server of one's own";
      const [readout, weights] = entry.kind === "gguf"
        ? [entry.readout, entry.precision]
        : ["generation", host];
      return [entry.id, entry.roles.join(", "), readout, weights, entry.licence];
    }),
  );
}

/** Table of a panel's hosted models with settings and notices of their hosts. */
export function hostedTable(entries: readonly HostedEntry[]): string {
  return markdownTable(
    ["model", "host", "its name there", "reasoning effort", "end announced for", "licence"],
    entries.map((entry) => {
      const { id, model = id, reasoningEffort, licence } = entry;
      return entry.kind === "groq"
        ? [id, "Groq", model, reasoningEffort, entry.withdrawn, licence]
        : [id, "a server of one's own", model, reasoningEffort, undefined, licence];
    }),
  );
}

export function hostedStatusTable(statuses: readonly HostedStatus[]): string {
  const wordOf = ({ closed, trouble, returns, ...left }: HostedStatus) => {
    if (!isLeft(left)) return "complete";
    if (closed !== undefined) return "awaits a key";
    if (returns) return "waits for its quota";
    return trouble ? `${trouble}, see above why` : "can be asked";
  };
  return markdownTable(
    ["model", "at the host", "status", "answers", "invalid", "remaining"]
      .concat("pairs to score", "quota returns"),
    statuses.map((status) => {
      const { entry: { id, model = id }, answered, invalid, remaining, unscored, returns } = status;
      const day = returns && formatReturn(returns.getTime());
      return [id, model, wordOf(status), answered, invalid, remaining, unscored, day];
    }),
  );
}

const isLeft = ({ remaining, unscored }: Pick<HostedStatus, "remaining" | "unscored">) =>
  remaining > 0 || unscored > 0;

/** Returns each distinct reason why models cannot be asked; empty where all can. */
export function closedMessages(statuses: readonly HostedStatus[]): string {
  const messages = statuses.flatMap((status) => isLeft(status) ? status.closed ?? [] : []);
  return [...new Set(messages)].join("\n");
}

/**
 * Table of the remaining cost of a run, with sums. Prices are for a paid plan, days for a free one.
 */
export function costTable(estimates: readonly HostedCostEstimate[]): string {
  const cells = ({ calls, promptTokens, replyTokens }: CostTotal) =>
    [calls, promptTokens, replyTokens] as const;
  const rows = estimates.map(({ entry, estimate }) => {
    const { time, dollars } = estimate;
    const needed = ["guessed", time?.minutes.toFixed(0), time?.days, time?.bound];
    return [entry.id, ...cells(estimate), ...needed, dollars?.toFixed(2)];
  });
  const total = totalOf(estimates.map(({ estimate }) => estimate));
  const unknown = Array.from({ length: 4 }, () => undefined);
  const sums = ["together", ...cells(total), ...unknown, total.dollars?.toFixed(2)];
  return markdownTable(
    ["model", "questions", "tokens in", "tokens out", "tokens are", "minutes of asking", "days"]
      .concat("limit that decides", "US $"),
    estimates.length < 2 ? rows : [...rows, sums],
  );
}

/** Table of a run's results by model, followed by reasons for its end and for failed calls. */
export function workTable(done: readonly WorkDone[]): string {
  if (done.length === 0) return "Nothing was left to ask.";
  const table = markdownTable(
    ["model", "answered now", "invalid", "failed", "scored", "missing"],
    done.map(({ model, answered, invalid, failed, scored, missing }) => [
      model,
      answered,
      invalid,
      failed.length,
      scored,
      missing,
    ]),
  );
  const reasons = done.flatMap(({ model, ended, failed }) => {
    const endings = ended ? [{ model, message: ended.message, pairId: undefined }] : [];
    const failures = failed.filter(({ reason }) => !ended?.message.includes(reason))
      .map(({ reason: message, pairId }) => ({ model, message, pairId }));
    return [...endings, ...failures];
  });
  const lines = [...Map.groupBy(reasons, ({ message }) => message)].map(([message, alike]) => {
    const models = [...new Set(alike.map(({ model }) => model))].join(", ");
    const pairs = [...new Set(alike.flatMap(({ pairId }) => pairId ?? []))];
    const named = pairs.length > NAMED ? [...pairs.slice(0, NAMED), "…"] : pairs;
    return pairs.length === 0
      ? `- ${models}: ${message}`
      : `- ${models}, no answer to ${pairs.length} pairs (${named.join(", ")}): ${message}`;
  });
  const shown = lines.length > MOST_REASONS
    ? [...lines.slice(0, MOST_REASONS), `- and ${lines.length - MOST_REASONS} more reasons`]
    : lines;
  return lines.length > 0 ? `${table}\n\n${shown.join("\n")}` : table;
}

/** Maximum number of pairs named per reason, and of reasons. */
const [NAMED, MOST_REASONS] = [5, 12];

/**
 * Table of the models in the metrics, followed by the incomplete ones with their missing answers.
 */
export function standingTable(panels: readonly StudyPanel[]): string {
  const counted = panels.flatMap(({ title, asked, standing }) =>
    standing.kind === "incomplete"
      ? []
      : asked.map((model) => [title, model, DESIGN_WORDS[standing.design]])
  );
  const refused = panels.flatMap(({ standing, leftOut }) =>
    standing.kind === "incomplete" ? standing.models : leftOut
  ).map(({ model, lacks }) => `${model} (${lacks.both}, or ${lacks.counterbalanced} in one order)`);
  return [
    markdownTable(["panel", "model", "in the metrics"], counted),
    ...(refused.length === 0
      ? []
      : [`Choices refused for want of answers: ${refused.join(", ")}.`]),
  ].join("\n\n");
}

/** Column headings by name, for all pairs and for each phenomenon. */
export type GroupNames = Readonly<Record<string, string>>;

/** Table with one row per name and one column per group. */
export function groupTable(
  heading: string,
  names: readonly string[],
  groupNames: GroupNames,
  measureOf: (name: string, group: string) => Measure,
): string {
  const groups = Object.keys(groupNames);
  return markdownTable(
    [heading, ...Object.values(groupNames)],
    names.map((name) => [
      modelLabel(name),
      ...groups.map((group) => shown(measureOf(name, group), "percent")),
    ]),
  );
}

export function percentTable(
  heading: string,
  measure: string,
  models: readonly string[],
  found: StatisticLookup,
  groupNames: GroupNames,
): string {
  const measureOf = (model: string, group: string) => found.measure(model, measure, group);
  return groupTable(heading, models, groupNames, measureOf);
}

export function artefactTable(artefacts: readonly Artefact[], groupNames: GroupNames): string {
  // Who always says A is right on half of whatever it is asked.
  const names = new Set(artefacts.map(({ baseline }) => baseline));
  names.delete(ALWAYS_FIRST.name);
  const measureOf = (name: string, group: string) => artefactMeasure(artefacts, name, group);
  return groupTable("baseline", [...names], groupNames, measureOf);
}

/** Direction of pairs: its title in tables, and the names of its groups. */
export interface Direction {
  readonly title: string;
  readonly rowsOf: (group: string) => string;
}

/** Directions and groups of a table. */
export interface DirectionLayout {
  readonly directions: readonly Direction[];
  readonly groupNames: GroupNames;
}

/**
 * Table of a measure in every direction: one row per name and direction, one column per group.
 *
 * A dash means that there are no such pairs, that no model was asked about them, or that the value
 * is fixed by construction.
 */
export function directionTable(
  heading: string,
  names: readonly string[],
  { directions, groupNames }: DirectionLayout,
  measureOf: (name: string, group: string) => Measure,
): string {
  const groups = Object.keys(groupNames);
  return markdownTable(
    [heading, "pairs", ...Object.values(groupNames)],
    names.flatMap((name) =>
      directions.map(({ title, rowsOf }) => [
        name,
        title,
        ...groups.map((group) => {
          const value = measureOf(name, rowsOf(group));
          return isConstructed(value) ? undefined : shown(value, "percent");
        }),
      ])
    ),
  );
}

/** A scoring rule in words, and the name of its accuracy in `statistics.csv`. */
export interface JudgingWay {
  readonly way: string;
  readonly measure: string;
}

/** Contents of {@link scoringTable}. */
interface ScoringRules {
  readonly models: readonly string[];
  readonly ways: readonly JudgingWay[];
  readonly directions: readonly Direction[];
  readonly found: StatisticLookup;
  readonly artefacts: readonly Artefact[];
  /** Group for the lead over the best baseline. By default the last direction with answers. */
  readonly leadOn?: string;
}

/**
 * Table of all accuracies in per cent: one row per model and scoring rule, one column per
 * direction.
 *
 * The last column is the paired lead over the best grammar-free baseline on the same pairs, in
 * points. The baselines have rows at the end.
 */
export function scoringTable(
  { models, ways, directions, found, artefacts, leadOn }: ScoringRules,
): string {
  const rows = models.flatMap((model) => ways.map((own) => ({ model, ...own })))
    .filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
  const groups = directions.map(({ rowsOf }) => rowsOf(ALL));
  const isAsked = (group: string) =>
    rows.some(({ model, measure }) => found.measure(model, measure, group).kind !== "unavailable");
  const last = leadOn ?? groups.findLast(isAsked) ?? ALL;
  const best = bestArtefact(artefacts, last);
  const baselines = [...new Set(artefacts.map(({ baseline }) => baseline))].filter((name) =>
    name !== RANDOM && name !== ALWAYS_FIRST.name
  );
  return markdownTable(
    [
      ...["model", "scoring rule", ...directions.map(({ title }) => title)],
      best ? `minus ${baselineLabel(best.baseline)}, points` : "minus a baseline, points",
    ],
    [
      ...rows.map(({ model, way, measure }) => [
        ...[modelLabel(model), way],
        ...groups.map((group) => shown(found.measure(model, measure, group), "percent")),
        shown(found.measure(model, `${measure}_less_best_rule`, last), "percent"),
      ]),
      ...baselines.map((name) => [
        ...["grammar-free baseline", baselineLabel(name)],
        ...groups.map((group) => shown(artefactMeasure(artefacts, name, group), "percent")),
        undefined,
      ]),
    ],
  );
}

/** Table of one accuracy with n, one row per subset whose name begins with `prefix`. */
export function partTable(
  heading: string,
  prefix: string,
  models: readonly string[],
  measure: string,
  statistics: readonly Statistic[],
): string {
  const found = lookUp(statistics);
  const parts = new Set(
    statistics.map(({ phenomenon }) => phenomenon).filter((name) => name.startsWith(prefix)),
  );
  return markdownTable(
    [heading, ...models.map(modelLabel)],
    [...parts].map((part) => [
      part === prefix ? "mean" : part.slice(prefix.length).replaceAll(/[._]/g, " ").trim(),
      ...models.map((model) => {
        const own = found.measure(model, measure, part);
        if (own.kind === "unavailable" || isConstructed(own)) return undefined;
        return `${shown(own, "percent")}, n = ${found.row(model, measure, part).n}`;
      }),
    ]),
  );
}

export function detectionTable(models: readonly string[], found: StatisticLookup): string {
  const shares = ["consistency", "accuracy_both_orders", "invalid_rate"];
  return markdownTable(
    ["model", "d′", "bias towards A", "consistency, %", "both orders right, %", "invalid, %"],
    models.map((model) => [
      model,
      shown(found.measure(model, "d_prime")),
      shown(found.measure(model, "position_bias")),
      ...shares.map((name) => shown(found.measure(model, name), "percent")),
    ]),
  );
}

export function comparisonTable(statistics: readonly Statistic[]): string {
  const found = lookUp(statistics);
  return markdownTable(
    ["comparison", "measure", "value", "n", "how"],
    statistics.filter(({ model }) => model.includes(" vs ")).map((row) => {
      const { model, measure, n, method } = row;
      const value = found.measure(model, measure);
      const isP = measure.startsWith("mcnemar_p");
      return [model, measure, isP ? pValue(value) : shown(value, 3), n, method];
    }),
  );
}

export function designTable(statistics: readonly Statistic[]): string {
  const found = lookUp(statistics);
  return markdownTable(
    ["phenomenon", "taken as independent", "units", "accuracy needed, %"],
    statistics.filter(({ model }) => model === DESIGN).map((row) => {
      const { phenomenon, measure, clusters, n } = row;
      const needed = shown(found.measure(DESIGN, measure, phenomenon), "percent");
      const units = measure.endsWith("by_lemma") ? ["lemmas", clusters] : ["pairs", n];
      return [phenomenon, ...units, needed];
    }),
  );
}

export const DESIGN_WORDS: Readonly<Record<OrderDesign, string>> = {
  both: "both orders",
  counterbalanced: "one order a pair",
};

/** Joins tables of panels. If there are several, each has its panel's name as a heading. */
export function perPanel(
  panels: readonly CompletePanel[],
  table: (models: readonly string[]) => string,
): string {
  return panels.map(({ title, models, design }) =>
    panels.length === 1
      ? table(models)
      : `**Panel ${title}**, ${DESIGN_WORDS[design]}:\n\n${table(models)}`
  ).join("\n\n");
}

/**
 * Returns every model with its panel and label. With several panels the label includes the panel.
 */
export function labelledModels(
  panels: readonly CompletePanel[],
): readonly { readonly model: string; readonly label: string; readonly panel: CompletePanel }[] {
  return panels.flatMap((panel) =>
    panel.models.map((model) => {
      return { model, label: panels.length === 1 ? model : `${model} (${panel.title})`, panel };
    })
  );
}

/** Tables of the settings on which answers depend: one per kind of model, one row per setting. */
export function settingsTable(path: string, of: "choices" | "likelihoods"): string {
  const recorded = Object.values(readSettings(path))
    // Only models that choose have a temperature.
    .filter(({ settings }) => ("temperature" in settings) === (of === "choices"))
    .toSorted((a, b) => (a.model < b.model ? -1 : 1));
  const kinds = Map.groupBy(recorded, ({ settings }) => Object.keys(settings).join());
  return [...kinds.values()].map((alike) => {
    const names = Object.keys(alike[0]!.settings);
    return markdownTable(
      ["setting", ...alike.map(({ model }) => modelLabel(model))],
      names.map((name) => [name, ...alike.map(({ settings }) => settings[name]?.toString())]),
    );
  }).join("\n\n");
}
