import { shownPath } from "../../files/atomic.ts";
import { practiceItem, type Preparation, type RunConfig } from "../configuration.ts";
import { isEmpty } from "../text.ts";
import { isUuid } from "../workbook/read_rows.ts";
import { EVAL, INPUTS } from "../workbook/sheets.ts";
import type { RatingWorkbook } from "../types.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";
import { newSecret } from "./draw.ts";
import { outputsOf } from "./outputs.ts";
import { preparedItem } from "./prepare_run.ts";
import { inOneLine, readBytes, sheetsIn, sheetTable, type Table } from "./read_table.ts";
import { keyHash, type SealedKey } from "./run_files.ts";

/** A workbook that the page opens; a key where the file named systems; and what was read as what. */
interface Sealed {
  readonly workbook: RatingWorkbook;
  readonly key: SealedKey | undefined;
  readonly described: readonly string[];
}

/**
 * Makes a workbook of one that was written by hand or by a program, with the specification's columns
 * alone: `inputs` with item_id, source and t1 … tN, whose order is kept (`preparation.systems` names
 * them), or with a column a system, which are drawn to t1 … tN for each item. Where systems are named
 * there is a key. `eval` may be there, without ratings.
 *
 * Throws SyntaxError that names the file and everything wrong in it, a workbook with hashes or ratings
 * among it: to seal these would vouch for what no page has seen.
 */
export async function sealWorkbook(
  path: string,
  { config, preparation }: { readonly config: RunConfig; readonly preparation: Preparation },
): Promise<Sealed> {
  const [file, n] = [shownPath(path), config.numTranslations];
  const fail = (faults: readonly string[]) =>
    new SyntaxError(`Cannot seal ${file}: ${inOneLine(faults)}.`);
  const sheets = await sheetsIn(await readBytes(path), file);
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
    ...[...inputs.faults, ...rated?.faults ?? []].map(({ words }) => words),
    systems.length !== n &&
    `it has ${systems.length} translations a sentence, num_translations is ${n}`,
    isBlind && systems.length === n && !wanted.every((it) => blind.includes(it)) &&
    `its translations are ${blind.join(", ")}, not t1 … t${n}`,
    isBlind && names !== undefined && names.length !== n &&
    `preparation.systems has ${names.length} names for t1 … t${n}`,
    ...ids.map((id) => !/^[1-9]\d{0,14}$/.test(id) && `item_id ${id} is no whole number from 1`),
    ...ids.map((id, index) => id === ids[index - 1] && `item_id ${id} stands twice`),
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
  const [secret, isTold] = [
    newSecret(),
    tell_documents && new Set(rows.map(({ document }) => document)).size < rows.length,
  ];
  let document = 0;
  const items = rows.map((segment, index) => {
    if (segment.document !== rows[index - 1]?.document) document++;
    const drawn = { runId, secret, assignment, config, seed: 0 };
    const { input, key } = preparedItem("rated", Number(ids[index]), 0, segment, outputs, drawn);
    const kept = wanted.map((it) => segment.translations[systems.indexOf(it)]!);
    return {
      input: { ...input, ...isBlind && { translations: kept }, ...isTold && { document } },
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
  const key = names && { runId, secret, assignment, systems: names, items: inKey };
  const keySha256 = key === undefined ? "" : keyHash(key);
  const empty = items.flatMap(({ input: { itemId, translations } }) =>
    translations.flatMap((text, t) => isEmpty(text) ? [`t${t + 1} of item ${itemId}`] : [])
  );
  return {
    workbook: newWorkbook(items.map(({ input }) => input), { runId, config, keySha256 }),
    key,
    described: [
      ...outputs.described,
      ...config.practice.length > 0
        ? ["the configuration's practice sentences are not put in: the sheet is taken as it is"]
        : [],
      ...others.length > 0 ? [`sheets not taken over: ${others.join(", ")}`] : [],
      ...empty.length > 0 ? [`empty, to be rated like any other: ${inOneLine(empty)}`] : [],
    ],
  };
}

/** What stands in a column, each once; nothing where there is none. */
function column(table: Table | undefined, heading: string): ReadonlySet<string> {
  const at = table?.headings.indexOf(heading) ?? -1;
  return new Set(table?.lines.flatMap(({ cells }) => cells[at]?.trim() || []));
}
