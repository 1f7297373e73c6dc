import { markdownTable } from "../../figures/markdown_table.ts";
import type { RunConfig } from "../run_config.ts";
import type { SealedKey } from "./key.ts";
import type { LengthSummary, Spread } from "./lengths.ts";
import type { PreparationReport } from "./report.ts";
import type { ScriptCount } from "./script_of.ts";
import type { SystemOutputs } from "./system_outputs.ts";

/** Documents of the researcher's file with their number of segments. */
export function documentTable({ segments }: SystemOutputs): string {
  const documents = Map.groupBy(segments, ({ document }) => document);
  return markdownTable(
    ["document", "segments", "begins"],
    [...documents].map((
      [name, group],
    ) => [name, group.length, `${group[0]!.source.slice(0, 60)} …`]),
  );
}

/** What the configuration asks of the rater. */
export function configTable(config: RunConfig): string {
  const scale = `${config.daMin} … ${config.daMax}${config.integerOnly ? ", whole points" : ""}`;
  return markdownTable(["setting", "value"], [
    ["translations a sentence", String(config.numTranslations)],
    ["Direct Assessment", scale],
    ["buckets, best first", config.buckets.map(({ key, label }) => `${label} (${key})`).join(", ")],
    ["every score above those of worse buckets", config.strictOrdering ? "yes" : "no"],
    ["a bucket may stay empty", config.allowEmptyBuckets ? "yes" : "no"],
    [
      "languages",
      `${config.sourceLanguage ?? "not told"} → ${config.targetLanguage ?? "not told"}`,
    ],
  ]);
}

/** How many items of which kind, from how many documents. */
export function compositionTable(report: PreparationReport): string {
  const { rated, repeats, attentionChecks, documents, partialDocuments } = report;
  return markdownTable(["what", "number"], [
    ["items sampled", rated],
    ["blind repeats", repeats],
    ["attention checks", attentionChecks],
    ["items in the workbook", rated + repeats + attentionChecks],
    ["documents", documents],
    ["of which not as a whole", partialDocuments],
    ["sources with characters mended", report.changedSources],
  ]);
}

/** How long the texts are. */
export function lengthTable({ sources, translations }: PreparationReport): string {
  const rows = (name: string, { characters, words }: LengthSummary) => [
    [`${name}, characters`, ...spreadCells(characters)],
    [`${name}, words`, ...spreadCells(words)],
  ];
  return markdownTable(
    ["length of", "texts", "shortest", "lower quartile", "median", "upper quartile", "longest"],
    [...rows("sources", sources), ...rows("translations", translations)],
  );
}

/** What the texts are written in: the page sets each text in its own direction. */
export function scriptTable({ sourceScripts, translationScripts }: PreparationReport): string {
  const rows = (kind: string, scripts: readonly ScriptCount[]) =>
    scripts.map(({ name, rightToLeft, texts }) => [
      ...[kind, name, rightToLeft ? "right to left" : "left to right", texts],
    ]);
  return markdownTable(["texts", "script", "direction", "number"], [
    ...rows("sources", sourceScripts),
    ...rows("translations", translationScripts),
  ]);
}

/** Systems of whose outputs something stands out besides their length, a row each. */
export function unusualSystemTable({ systems }: PreparationReport): string {
  const rows = systems
    .map((it) => [it.empty, it.shared, it.changed, it.otherScript, it.named])
    .flatMap((counts, index) =>
      counts.some((count) => count > 0) ? [[systems[index]!.system, ...counts]] : []
    );
  if (rows.length === 0) return "No system’s outputs stand out.";
  return markdownTable(
    ["system", "empty", "same as another", "characters mended", "other script", "named"],
    rows,
  );
}

/** Items in which a rater will meet equal, empty or foreign texts; a row each. */
export function unusualItemTable({ items }: PreparationReport, numTranslations: number): string {
  const unusual = items.filter(({ distinct, empty, otherScript }) =>
    distinct < numTranslations || empty > 0 || otherScript > 0
  );
  if (unusual.length === 0) return "No item holds equal or empty translations or another script.";
  return markdownTable(
    ["item", "different texts", "empty", "script", "in another one"],
    unusual.map((it) => [it.itemId, it.distinct, it.empty, it.script.name, it.otherScript]),
  );
}

/** What the run costs its rater. */
export function effortTable(
  { effort: { keystrokes, pointing, hours } }: PreparationReport,
): string {
  return markdownTable(["what", "how much"], [
    ["keystrokes, by keyboard alone", keystrokes],
    ["clicks and drags, by mouse alone", pointing],
    ["hours at 28 … 42 s a translation", `${hours.low.toFixed(1)} … ${hours.high.toFixed(1)}`],
  ]);
}

/** One item of the key, as the rater sees it from top to bottom. */
export function keyTable(
  { items }: SealedKey,
  itemId: number,
  displayMap: readonly number[],
): string {
  const { systems } = items.find((item) => item.itemId === itemId)!;
  return markdownTable(
    ["row on the page", "column of the workbook", "system"],
    displayMap.map((translation, p) => [p + 1, `t${translation + 1}`, systems[translation]]),
  );
}

/** The extra items and where they came from. */
export function extraTable({ items }: SealedKey): string {
  const extras = items.flatMap(({ itemId, segment, systems, role }) =>
    role.kind === "rated" ? [] : [[
      ...[itemId, role.kind, segment, role.of],
      role.kind === "attention" ? systems[role.translation] : undefined,
      role.kind === "attention" ? role.spoiledBy : undefined,
    ]]
  );
  return markdownTable(["item", "kind", "segment", "of item", "spoiled", "how"], extras);
}

function spreadCells({ n, min, lowerQuartile, median, upperQuartile, max }: Spread): string[] {
  return [n, min, lowerQuartile, median, upperQuartile, max].map((value) => value.toFixed(0));
}
