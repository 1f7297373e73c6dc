import { Marked } from "marked";
import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { escapeHtml } from "../../files/page.ts";
import { makeFolder, shownPath, temporaryName, writeTextAtomic } from "../../files/atomic.ts";
import { practiceItem, type Preparation, type RunConfig } from "../configuration.ts";
import { configHash } from "../hashes.ts";
import { isInvalid } from "../rules/violations.ts";
import { isEmpty } from "../text.ts";
import { taskDescription, textsOf } from "../page_texts.ts";
import type { RatingWorkbook } from "../types.ts";
import { isUuid } from "../workbook/read_workbook.ts";
import { EVAL, INPUTS } from "../workbook/sheets.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";
import { assignDocuments, assignLaterDocuments, newSecret, sampleSegments } from "./sampling.ts";
import { outputsOf, type ReadOutputs, readOutputs } from "./outputs.ts";
import { preparedItem, type PreparedRun, prepareRun } from "./prepare_run.ts";
import {
  cellFaults,
  joinFaults,
  type OutputsTable,
  readBytes,
  sheetsIn,
  sheetTable,
} from "./read_table.ts";
import {
  keyHash,
  readConfiguration,
  readSealedKey,
  type SealedKey,
  writeRun,
} from "./run_files.ts";

/** Planned runs, one per rater, not yet written. */
interface Plan {
  readonly config: RunConfig;
  /** True if the runs are added to an already prepared folder. */
  readonly isLater: boolean;
  /** The configuration as text, in the version for raters. */
  readonly settings: string;
  readonly runs: readonly { readonly rater: string; readonly run: PreparedRun }[];
  /** Summary of the input and of each rater's work, for the researcher: it names systems. */
  readonly summary: readonly string[];
}

/** Further settings of a plan. */
interface PlanOptions {
  /** Path of systems' outputs, which overrides the configuration's. */
  readonly outputs?: string | undefined;
  /** Raters who join later, and the folder of the earlier ones. */
  readonly later?: { readonly raters: readonly string[]; readonly folder: string } | undefined;
}

/**
 * Plans a run for each rater from a configuration and systems' outputs.
 * Each run has a different id and secret, so that assignment, order of documents, display order,
 * repeats and checks differ. All raters get the same sentences unless an overlap divides the
 * documents. Writes nothing.
 *
 * Throws SyntaxError, RangeError and NotFound that name the file and all its faults, and Error if
 * raters join a folder with another configuration or other sentences.
 */
export async function planRuns(
  configPath: string,
  { outputs: outputsPath, later }: PlanOptions = {},
): Promise<Plan> {
  const file = shownPath(configPath);
  const { config, preparation, asked: settings } = readConfiguration(configPath);
  if (outputsPath === undefined && preparation.outputs === undefined) {
    throw new SyntaxError(
      `Cannot prepare: ${file} names no file of systems' outputs. Write one under ` +
        "preparation.outputs, or say --outputs FILE.",
    );
  }
  const path = outputsPath ?? resolve(dirname(configPath), preparation.outputs!);
  const outputs = await readOutputs(path, preparation);
  const raters = later?.raters ?? preparation.raters;
  const hands = documentsByRater(outputs, preparation, raters, later && earlierKeys(later, config));
  const runs = raters.map((rater, index) => {
    const drawn = { runId: crypto.randomUUID(), secret: newSecret(), config };
    const documents = hands?.[index];
    const hand = { rater, ...documents && { documents } };
    return { rater, run: prepareRun(outputs, { ...preparation, ...drawn, ...hand }) };
  });
  const [first] = runs[0]!.run.workbook.items;
  const broken = config.practice.findIndex(({ translations }) =>
    isInvalid({ ...first!.evaluation, ratings: translations }, config)
  );
  if (broken >= 0) {
    throw new SyntaxError(
      `Cannot prepare: the reference ratings of practice.${broken} in ${file} break a rule that the ` +
        "rater must keep, such as the order of buckets.",
    );
  }
  const summary = summaryOf(outputs, runs, config);
  return { config, settings, runs, summary, isLater: later !== undefined };
}

/** Returns each rater's documents; undefined if all rate everything. */
function documentsByRater(
  outputs: ReadOutputs,
  { overlap, seed, items, window_length }: Preparation,
  raters: readonly string[],
  before: readonly SealedKey[] = [],
): readonly ReadonlySet<string>[] | undefined {
  const segments = sampleSegments(outputs.segments, { seed, items, window_length });
  const named = ({ document, segment }: { document: string; segment: string }) =>
    JSON.stringify([document, segment]);
  const sampled = new Set(segments.map(named));
  const strange = before.flatMap((key) => key.items)
    .find((item) => item.role.kind !== "practice" && !sampled.has(named(item)));
  if (strange !== undefined) {
    throw new Error(
      `Cannot add a rater: the others rate segment ${strange.segment} of document ` +
        `${strange.document}, which this configuration does not draw. Take the outputs, seed, items ` +
        "and window_length of before.",
    );
  }
  if (overlap === undefined) return undefined;
  const dealing = { seed, overlap };
  if (before.length === 0) return assignDocuments(segments, raters.length, dealing);
  const hands = before.map(({ items }) =>
    new Set(items.flatMap(({ role, document }) => role.kind === "rated" ? [document] : []))
  );
  for (const _ of raters) hands.push(new Set(assignLaterDocuments(segments, hands, dealing)));
  return hands.slice(before.length);
}

/**
 * Reads the keys of earlier raters. Throws Error if a rater is among them or they are another
 * run's.
 */
function earlierKeys(
  { folder, raters }: NonNullable<PlanOptions["later"]>,
  config: RunConfig,
): readonly SealedKey[] {
  const fail = (why: string) => new Error(`Cannot add a rater to ${shownPath(folder)}: ${why}`);
  if (!existsSync(join(folder, "run.yaml"))) {
    throw fail("it has no run.yaml. Name a folder that rate prepare has written.");
  }
  if (configHash(readConfiguration(join(folder, "run.yaml")).config) !== configHash(config)) {
    throw fail("its run.yaml asks something else of raters than this configuration.");
  }
  const sealed = [...Deno.readDirSync(join(folder, "sealed"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort();
  const existing = raters.filter((rater) => sealed.includes(`${rater}.json`));
  if (existing.length > 0) {
    throw fail(`${existing.join(", ")} is there already. Take another name.`);
  }
  return sealed.map((name) => readSealedKey(join(folder, "sealed", name)));
}

function summaryOf({ described }: ReadOutputs, runs: Plan["runs"], config: RunConfig): string[] {
  const { workbook, report } = runs[0]!.run;
  const { low, high } = report.effort.hours;
  const dealt = describeOverlap(runs);
  const cut = report.partialDocuments > 0 ? `, ${report.partialDocuments} of them in part` : "";
  const lookAt = ([
    ["empty", "empty"],
    ["changed", "with characters that no workbook holds"],
    ["otherScript", "in another script than the others'"],
    ["named", "texts with the system's name"],
    ["shared", "the same as another system's"],
  ] as const).flatMap(([kind, words]) => {
    const counts = report.systems.filter((it) => it[kind] > 0).map((it) =>
      `${it.system} ${it[kind]}`
    );
    return counts.length > 0 ? [`look at: ${words}: ${counts.join(", ")}`] : [];
  });
  return [
    ...described,
    `raters: ${runs.length} (${runs.map(({ rater }) => rater).join(", ")})`,
    ...dealt,
    `${
      dealt.length > 0 ? runs[0]!.rater : "each"
    }: ${workbook.items.length} items of ${config.numTranslations} translations: ` +
    `practice ${config.practice.length}, sentences ${report.rated} (documents ` +
    `${report.documents}${cut}), repeats ${report.repeats}, attention checks ` +
    report.attentionChecks,
    `about ${low.toFixed(1)} to ${
      high.toFixed(1)
    } hours a rater, at 28 to 42 s a translation as in WMT's ESA`,
    ...lookAt,
  ];
}

/** Summarises each rater's number of sentences and the overlap, if documents are divided. */
function describeOverlap(runs: Plan["runs"]): string[] {
  const rated = runs.map(({ rater, run }) => ({
    rater,
    segments: run.key.items.flatMap(({ role, document, segment }) =>
      role.kind === "rated" ? [JSON.stringify([document, segment])] : []
    ),
  }));
  const counts = Map.groupBy(rated.flatMap(({ segments }) => segments), (segment) => segment);
  const inCommon = [...counts.values()].filter(({ length }) => length > 1).length;
  if (rated.every(({ segments }) => segments.length === counts.size)) return [];
  const each = rated.map(({ rater, segments }) => `${rater} ${segments.length}`).join(", ");
  return [`dealt out: ${each}; of ${counts.size} sentences ${inCommon} have more than one rater`];
}

/**
 * Writes a plan into a new or empty folder, all or nothing.
 * The folder gets a workbook per rater, a key per rater of the same name in `sealed/`, pages of
 * instructions (whose names are returned) and `run.yaml`, the configuration without names of
 * systems. For raters who join later only workbooks and keys are added. Throws Error for a folder
 * with other contents.
 */
export async function writePlan(plan: Plan, out: string): Promise<string[]> {
  const { config, settings, runs } = plan;
  const folder = resolve(out);
  if (plan.isLater) {
    for (const { rater, run } of runs) await writeRun(run, config, filesOf(folder, rater));
    return [];
  }
  makeFolder(dirname(folder));
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new Error(
      `Cannot prepare into ${shownPath(folder)}: a file is in the way. Name a new folder.`,
    );
  }
  if (existsSync(folder) && [...Deno.readDirSync(folder)].length > 0) {
    throw new Error(
      `Cannot prepare into ${shownPath(folder)}: it holds something already, and ratings whose ` +
        "key is overwritten mean nothing. Name a new folder.",
    );
  }
  const temporary = temporaryName(folder);
  try {
    for (const { rater, run } of runs) {
      await writeRun(run, config, filesOf(temporary, rater));
    }
    const pages = instructionPages(config);
    for (const [name, text] of [...pages, ["run.yaml", settings] as const]) {
      writeTextAtomic(join(temporary, name), text);
    }
    // Fails if a file has appeared there in the meantime.
    if (existsSync(folder)) Deno.removeSync(folder);
    Deno.renameSync(temporary, folder);
    return [...pages.keys()];
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the paths of a rater's workbook and key in a prepared folder. */
const filesOf = (folder: string, rater: string) => ({
  workbook: join(folder, `${rater}.xlsx`),
  key: join(folder, "sealed", `${rater}.json`),
});

const STYLE = `
  body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5;
    font-family: system-ui, sans-serif; color-scheme: light dark; }
  table { border-collapse: collapse; }
  th, td { padding: 0.2rem 0.6rem; border: 1px solid; text-align: start; }
  img { max-width: 100%; }`;

/** Markdown renderer that escapes HTML and allows only web and mail addresses. */
const MARKDOWN = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return /^(https?:|mailto:|#)/i.test(href)
        ? `<a href="${escapeHtml(href)}">${text}</a>`
        : text;
    },
  },
});

/**
 * Returns the instructions as self-contained HTML pages by file name, one per language.
 * Without instructions in the configuration the text is derived from buckets, scale and rules. A
 * page may contain images as `data:` addresses; HTML is escaped, and the page loads, sends and runs
 * nothing.
 */
function instructionPages(config: RunConfig): ReadonlyMap<string, string> {
  const [texts, given] = [textsOf(config), Object.entries(config.instructions)];
  const pages = given.length > 0 ? given : [
    [
      config.language,
      `# ${texts("title")}\n\n${taskDescription(config)}\n\n${texts("rateInPage")}`,
    ] as const,
  ];
  return new Map(pages.map(([tag, markdown]) => [
    tag === "und" ? "instructions.html" : `instructions_${tag}.html`,
    `<!doctype html>
<html lang="${tag === "und" ? "" : tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">
<title>${texts("instructions")}</title>
<style>${STYLE}
</style>
</head>
<body dir="auto">
${MARKDOWN.parse(markdown, { async: false })}</body>
</html>
`,
  ]));
}

/**
 * A workbook that the page can open, and a description of the input. There is a key if the file
 * named systems.
 */
interface Sealed {
  readonly workbook: RatingWorkbook;
  readonly key: SealedKey | undefined;
  readonly described: readonly string[];
}

/**
 * Turns an unsealed workbook into one that the rating page can open.
 * `inputs` has item_id, source and either t1 … tN, whose order is kept (`preparation.systems` names
 * them), or a column per system, which are assigned to t1 … tN at random for each item. A key is
 * made if systems are named. A sheet `eval` may be present without ratings.
 *
 * Throws SyntaxError that names the file and all its faults. Hashes and ratings are faults: sealing
 * them would certify what the page never checked.
 */
export async function sealWorkbook(
  path: string,
  { config, preparation }: { readonly config: RunConfig; readonly preparation: Preparation },
  rater?: string,
): Promise<Sealed> {
  const [file, n] = [shownPath(path), config.numTranslations];
  const fail = (faults: readonly string[]) =>
    new SyntaxError(`Cannot seal ${file}: ${joinFaults(faults)}.`);
  const sheets = await sheetsIn(readBytes(path), file);
  const sheetNamed = (wanted: string) => sheets.find(({ name }) => name === wanted);
  const [inputSheet, evalSheet] = [sheetNamed(INPUTS), sheetNamed(EVAL)];
  const others = sheets.map(({ name }) => name).filter((name) => name !== INPUTS && name !== EVAL);
  if (inputSheet === undefined) {
    throw fail([`it has no sheet ${INPUTS}, only ${others.join(", ")}`]);
  }
  const inputs = sheetTable(inputSheet, file);
  const rated = evalSheet?.rows.length ? sheetTable(evalSheet, file) : undefined;
  const blind = inputs.headings.filter((heading) => /^t[1-9]\d*$/.test(heading));
  const isBlind = blind.length > 0;
  const outputs = outputsOf(inputs, file, {
    form: "wide",
    columns: { segment: "item_id" },
    systems: isBlind ? blind : preparation.systems,
    exclude: [...isBlind ? [] : preparation.exclude, "row_input_hash"]
      .filter((it) => inputs.headings.includes(it)),
  });
  const { systems } = outputs;
  const names = isBlind ? preparation.systems : systems;
  const rows = outputs.segments.toSorted((a, b) => Number(a.segment) - Number(b.segment));
  const ids = rows.map(({ segment }) => segment);
  const wanted = Array.from({ length: n }, (_, index) => `t${index + 1}`);
  const inEval = column(rated, "item_id");
  const faults = [
    ...cellFaults([...inputs.faults, ...rated?.faults ?? []]),
    systems.length !== n &&
    `it has ${systems.length} translations a sentence, num_translations is ${n}`,
    isBlind && systems.length === n && !wanted.every((it) => blind.includes(it)) &&
    `its translations are ${blind.join(", ")}, not t1 … t${n}`,
    isBlind && names !== undefined && names.length !== n &&
    `preparation.systems has ${names.length} names for t1 … t${n}`,
    ...ids.map((id) => !/^[1-9]\d{0,14}$/.test(id) && `item_id ${id} is no whole number from 1`),
    ...ids.map((id, index) => id === ids[index - 1] && `item_id ${id} occurs twice`),
    ...inEval.size > 0
      ? inEval.symmetricDifference(new Set(ids)).values()
        .map((id) => `item ${id} is in one of the sheets only`)
      : [],
    column(inputs, "row_input_hash").size > 0 &&
    "it has hashes: if it was sealed, open it on the page; if not, empty row_input_hash",
    ...(rated?.headings ?? []).map((it) =>
      !/^(item_id|run_id|display_map_json)$/.test(it) &&
      [...column(rated, it)].some((text) => text !== "0") &&
      `${EVAL} has something in ${it}: only what was rated on the page can be vouched for`
    ),
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw fail(faults);
  const [given = ""] = column(rated, "run_id");
  const runId = isUuid(given) ? given : crypto.randomUUID();
  const { assignment, tell_documents } = preparation;
  const secret = newSecret();
  const showsDocuments = tell_documents &&
    new Set(rows.map((it) => it.document)).size < rows.length;
  let document = 0;
  const items = rows.map((segment, index) => {
    if (segment.document !== rows[index - 1]?.document) document++;
    const drawn = { runId, secret, assignment, config, seed: 0 };
    const { input, key } = preparedItem("rated", Number(ids[index]), 0, segment, outputs, drawn);
    const translations = wanted.map((it) => segment.translations[systems.indexOf(it)]!);
    return {
      input: { ...input, ...isBlind && { translations }, ...showsDocuments && { document } },
      key: isBlind && names ? { ...key, systems: names } : key,
    };
  });
  const shown = items.flatMap(({ input }) => practiceItem(config, input) ? [input.itemId] : []);
  if (shown.length > 0) {
    const which = `item ${shown.join(", ")}`;
    throw fail([
      `${which}: a practice sentence of the configuration, whose ratings would be shown`,
    ]);
  }
  const inKey = items.map((item) => item.key);
  const who = {
    ...rater !== undefined && { rater },
    ...rater !== undefined && preparation.batch !== undefined && { batch: preparation.batch },
  };
  const key = names && { runId, secret, assignment, ...who, systems: names, items: inKey };
  const keySha256 = key === undefined ? "" : keyHash(key);
  const empty = items.flatMap(({ input: { itemId, translations } }) =>
    translations.flatMap((text, t) => isEmpty(text) ? [`t${t + 1} of item ${itemId}`] : [])
  );
  return {
    workbook: newWorkbook(items.map(({ input }) => input), { runId, config, keySha256, ...who }),
    key,
    described: [
      ...outputs.described,
      ...config.practice.length > 0
        ? ["the configuration's practice sentences are not put in: the sheet is taken as it is"]
        : [],
      ...others.length > 0 ? [`sheets not taken over: ${others.join(", ")}`] : [],
      ...empty.length > 0 ? [`empty, to be rated like any other: ${joinFaults(empty)}`] : [],
    ],
  };
}

/** Returns the distinct values of a column. The result is empty if the column is missing. */
function column(table: OutputsTable | undefined, heading: string): ReadonlySet<string> {
  const at = table?.headings.indexOf(heading) ?? -1;
  return new Set(table?.lines.flatMap(({ cells }) => cells[at]?.trim() || []));
}
