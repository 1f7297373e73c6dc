import { shownPath } from "../../files/atomic.ts";
import type { Preparation, RunConfig } from "../configuration.ts";
import { keyHash } from "../hashes.ts";
import { isEmpty } from "../text.ts";
import { isUuid } from "../workbook/read_rows.ts";
import { EVAL, INPUTS } from "../workbook/sheets.ts";
import type { InputRow, KeyItem, RatingWorkbook, SealedKey } from "../types.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";
import { newSecret } from "./draw.ts";
import { outputsOf } from "./outputs.ts";
import { preparedItem } from "./prepare_run.ts";
import { inOneLine, readBytes, sheetsIn, sheetTable, type Table } from "./read_table.ts";

/** A workbook that the page opens; a key where the file named systems; and what was read as what. */
export interface Sealed {
  readonly workbook: RatingWorkbook;
  readonly key: SealedKey | undefined;
  readonly described: readonly string[];
}

/**
 * Makes a workbook of one that was written by hand or by a program, with the specification's columns
 * alone: `inputs` with item_id, source and t1 … tN, whose order is kept, or with a column a system,
 * which are drawn to t1 … tN for each item and sealed in a key. `eval` may be there, without ratings.
 *
 * Throws SyntaxError that names the file and everything wrong in it, a workbook with hashes or ratings
 * among it: to seal these would vouch for what no page has seen.
 */
export async function sealWorkbook(
  path: string,
  { config, preparation }: { readonly config: RunConfig; readonly preparation: Preparation },
): Promise<Sealed> {
  const [bytes, file, n] = [await readBytes(path), shownPath(path), config.numTranslations];
  const fail = (faults: readonly string[]) =>
    new SyntaxError(`Cannot seal ${file}: ${inOneLine(faults)}.`);
  const sheets = await sheetsIn(bytes, file);
  const sheetNamed = (wanted: string) => {
    const sheet = sheets.find(({ name }) => name === wanted);
    return sheet && sheet.rows.length > 0 ? sheetTable(sheet, file) : undefined;
  };
  const [inputs, ratings] = [sheetNamed(INPUTS), sheetNamed(EVAL)];
  const others = sheets.map(({ name }) => name).filter((name) => name !== INPUTS && name !== EVAL);
  if (inputs === undefined) {
    throw fail([`it has no sheet ${INPUTS} with headings, only ${others.join(", ")}`]);
  }
  const blind = inputs.headings.filter((heading) => /^t[1-9]\d*$/.test(heading));
  const isBlind = blind.length > 0;
  const outputs = outputsOf(inputs, file, {
    form: "wide",
    columns: { segment: "item_id" },
    systems: isBlind ? blind : preparation.systems,
    exclude: ["row_input_hash", ...isBlind ? [] : preparation.exclude]
      .filter((it) => inputs.headings.includes(it)),
  });
  const { systems } = outputs;
  const ids = outputs.segments.map(({ segment }) => segment);
  const rated = ratings === undefined ? new Set<string>() : column(ratings, "item_id");
  const missing = rated.size > 0 ? [...rated.symmetricDifference(new Set(ids))] : [];
  const wanted = Array.from({ length: n }, (_, index) => `t${index + 1}`);
  const faults = [
    ...systems.length === n ? [] : [
      `it has ${systems.length} translations a sentence, num_translations is ${n}`,
    ],
    ...isBlind && systems.length === n && !wanted.every((it) => blind.includes(it))
      ? [`its translations are ${blind.join(", ")}, not t1 … t${n}`]
      : [],
    ...ids.filter((id) => !/^[1-9]\d{0,14}$/.test(id))
      .map((id) => `item_id ${id} is no whole number from 1`),
    ...[...Map.groupBy(ids, String)].filter(([, { length }]) => length > 1)
      .map(([id]) => `item_id ${id} stands twice`),
    ...missing.map((id) => `item ${id} is in one of the sheets only`),
    ...column(inputs, "row_input_hash").size > 0
      ? ["it has hashes: if it was sealed, open it on the page; if not, empty row_input_hash"]
      : [],
    ...(ratings?.headings ?? []).filter((it) =>
      !/^(item_id|run_id|display_map_json)$/.test(it) &&
      [...column(ratings!, it)].some((text) => text !== "0")
    ).map((it) =>
      `${EVAL} has something in ${it}: only what was rated on the page can be vouched for`
    ),
  ];
  if (faults.length > 0) throw fail(faults);
  const [given = ""] = ratings === undefined ? [] : column(ratings, "run_id");
  const options = {
    runId: isUuid(given) ? given : crypto.randomUUID(),
    secret: newSecret(),
    assignment: preparation.assignment,
  };
  const { runId, secret, assignment } = options;
  const rows = outputs.segments.toSorted((a, b) => Number(a.segment) - Number(b.segment));
  const isTold = preparation.tell_documents &&
    new Set(rows.map(({ document }) => document)).size < rows.length;
  let document = 0;
  const items = rows.map((segment, index): { input: NewRow; key?: KeyItem } => {
    const itemId = Number(segment.segment);
    if (segment.document !== rows[index - 1]?.document) document++;
    const translations = wanted.map((it) => segment.translations[systems.indexOf(it)]!);
    const { input, key } = isBlind
      ? { input: { itemId, source: segment.source, translations }, key: undefined }
      : preparedItem("rated", itemId, itemId, segment, outputs, { ...options, config, seed: 0 });
    return { input: { ...input, ...isTold && { document } }, ...key && { key } };
  });
  const inKey = items.flatMap(({ key }) => key ?? []);
  const key = isBlind ? undefined : { runId, secret, assignment, systems, items: inKey };
  const empty = items.flatMap(({ input: { itemId, translations } }) =>
    translations.flatMap((text, t) => isEmpty(text) ? [`t${t + 1} of item ${itemId}`] : [])
  );
  const keySha256 = key === undefined ? "" : keyHash(key);
  return {
    workbook: newWorkbook(items.map(({ input }) => input), { runId, config, keySha256 }),
    key,
    described: [
      ...outputs.described,
      ...others.length > 0 ? [`sheets not taken over: ${others.join(", ")}`] : [],
      ...empty.length > 0 ? [`empty, to be rated like any other: ${inOneLine(empty)}`] : [],
    ],
  };
}

type NewRow = Omit<InputRow, "rowInputHash">;

/** What stands in a column, each once; nothing where there is none. */
function column({ headings, lines }: Table, heading: string): ReadonlySet<string> {
  const at = headings.indexOf(heading);
  return new Set(lines.flatMap(({ cells }) => cells[at]?.trim() || []));
}
