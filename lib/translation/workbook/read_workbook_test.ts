import assert from "node:assert/strict";
import { strToU8 } from "fflate";
import { randomSource } from "../../stats/random.ts";
import { parseRunConfig } from "../configuration.ts";
import { displayMapJson } from "../hashes.ts";
import {
  BOOK_PART,
  edited,
  EVAL_PART,
  INPUTS_PART,
  MUTATIONS,
  SMALL_CONFIG,
  SMALL_OPTIONS,
  smallWorkbook,
  withCell,
  withDates,
  withRowsSwapped,
} from "../testdata/workbooks.ts";
import { readArchive, zipArchive } from "./sheets.ts";
import { readWorkbook } from "./read_workbook.ts";
import { writeWorkbook } from "./write_workbook.ts";

const WORKBOOK = smallWorkbook();
const SOUND = await writeWorkbook(WORKBOOK, SMALL_CONFIG);
const EMPTY = "><v></v>";
const text = (value: string) => `t="inlineStr"><is><t>${value}</t></is>`;

/** Asserts that a file has exactly these problems, as `sheet row column: message`. */
async function assertProblems(bytes: Uint8Array, expected: readonly RegExp[], more = {}) {
  const result = await readWorkbook(bytes, { ...SMALL_OPTIONS, ...more });
  const problems = (result.kind === "workbook" ? [] : result.problems)
    .map(({ sheet, row, column, message }) =>
      `${sheet ?? "-"} ${row ?? "-"} ${column ?? "-"}: ${message}`
    );
  for (const pattern of expected) {
    assert.ok(problems.some((problem) => pattern.test(problem)), `${pattern}: ${problems}`);
  }
  assert.equal(problems.length, expected.length, problems.join("\n"));
}

Deno.test("readWorkbook() gives back what was written, also from sorted sheets", async () => {
  const sorted = edited(SOUND, INPUTS_PART, withRowsSwapped);
  assert.notDeepEqual(sorted, SOUND);
  for (const bytes of [SOUND, sorted]) {
    const read = await readWorkbook(bytes, SMALL_OPTIONS);
    assert.deepEqual(read, { kind: "workbook", workbook: WORKBOOK });
  }
});

Deno.test("NFR-1, FR-4: readWorkbook() says which hash, rating, order or run was changed outside the page", async () => {
  const [hash, other] = [text("0".repeat(64)), WORKBOOK.items[0]!.evaluation.displayMap];
  const reversed = text(displayMapJson(other.toReversed()));
  const changed =
    /^eval 2 row_eval_hash: The row of item 1 was changed outside the rating page.* as this page last saved it\.$/;
  const inEval = /^eval 2 row_input_hash: The input's hash of item 1 was changed or lost in eval/;
  const source = /^inputs 2 row_input_hash: The source or a translation of i/;
  const cases: readonly (readonly [part: string, address: string, string, ...RegExp[]])[] = [
    [INPUTS_PART, "C2", text("anders"), source],
    [INPUTS_PART, "C2", EMPTY, source],
    [INPUTS_PART, "F2", hash, /^inputs 2 row_input_hash: The hash of item 1 was changed or lost/],
    [EVAL_PART, "R2", hash, inEval, changed],
    [EVAL_PART, "G2", "><v>99</v>", changed],
    [EVAL_PART, "J2", text("typed in Excel"), changed],
    [EVAL_PART, "T2", text("typed in Excel"), /^eval 2 -: Cell T2 stands outside .* delete it/],
    [EVAL_PART, "S2", EMPTY, /^eval 2 row_eval_hash: Item 1 has ratings but no hash/],
    [EVAL_PART, "S4", EMPTY],
    [EVAL_PART, "C2", reversed, /^eval 2 display_map_json: The order of item 1 is not the one/],
    [EVAL_PART, "C2", EMPTY, /^eval 2 display_map_json: The display_map_json is missing here/],
    [EVAL_PART, "B3", EMPTY, /^eval 3 run_id: The run_id is not the one in row 2/],
  ];
  for (const [part, address, content, ...expected] of cases) {
    await assertProblems(withCell(SOUND, part, address, content), expected);
  }
});

Deno.test("NFR-1: readWorkbook() lists everything that is wrong, not only the first", async () => {
  let bytes = withCell(SOUND, INPUTS_PART, "A3", "><v>1</v>");
  bytes = withCell(bytes, INPUTS_PART, "D1", text("system_d"));
  bytes = withCell(bytes, EVAL_PART, "J2", "><f>1+1</f><v>2</v>");
  bytes = withCell(bytes, EVAL_PART, "M3", text("often"));
  await assertProblems(bytes, [
    /^inputs 1 system_d: Cell D1 has a heading that does not belong here/,
    /^inputs 1 t2: The column t2 is missing/,
    /^inputs 3 item_id: Row 2 already has the item_id 1/,
    /^eval 2 comment: Cell J2 holds a formula/,
    /^eval 3 item_id: Item 2 is missing from the sheet inputs/,
  ]);
  const date = /Cell J2 holds a date \(or .*: give it the format General\); it must/;
  const dated = withCell(withDates(SOUND), EVAL_PART, "J2", `s="2"><v>46053.5</v>`);
  await assertProblems(dated, [date]);
});

Deno.test("readWorkbook() reads a workbook to which a program or its user added links and notes", async () => {
  const names = "http://schemas.openxmlformats.org";
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${names}/officeDocument/2006/relationships/${type}" ${target}/>`;
  const relations = relation(1, "hyperlink", 'Target="https://example.org" TargetMode="External"') +
    relation(2, "vmlDrawing", 'Target="../drawings/vmlDrawing1.vml"') +
    relation(3, "comments", 'Target="../comments1.xml"');
  const rels =
    `<Relationships xmlns="${names}/package/2006/relationships">${relations}</Relationships>`;
  const links =
    `<hyperlinks><hyperlink ref="C2" r:id="rId1"/></hyperlinks><legacyDrawing r:id="rId2"/>`;
  const linked = edited(SOUND, INPUTS_PART, (xml) => xml.replace("</worksheet>", `${links}$&`));
  const parts = new Map([
    ...readArchive(linked),
    ["xl/worksheets/_rels/sheet1.xml.rels", strToU8(rels)],
    ["xl/comments1.xml", strToU8("<comments/>")],
  ]);
  await assertProblems(zipArchive(parts, 6), []);
});

Deno.test("FR-1, FR-2: readWorkbook() refuses other sheets, configurations and numbers in a sentence", async () => {
  const renamed = edited(SOUND, BOOK_PART, (xml) => xml.replace(`name="eval"`, `name="ratings"`));
  const missing = /^- - -: The sheet eval is missing/;
  await assertProblems(renamed, [missing, /^- - -: The sheet ratings does not belong/]);
  const other = parseRunConfig("num_translations: 3\nda_max: 10", "x");
  const another = /^- - -: This file belongs to another page.* languages count too\)/;
  await assertProblems(SOUND, [another], { config: other });
  const four = /^- - -: This file has 3 translations a sentence, this page is for 4: it belongs/;
  await assertProblems(SOUND, [four], { config: parseRunConfig("num_translations: 4", "x") });
});

Deno.test("FR-2: readWorkbook() gives a workbook that was never opened its run and order", async () => {
  const cells = /<c r="(?:[BC]|[DEFGHIJKLMNOPQS])[2-4]".*?<\/c>/gs;
  const cleared = edited(SOUND, EVAL_PART, (xml) => xml.replace(cells, ""));
  const runId = "11111111-2222-4333-8444-555555555555";
  const result = await readWorkbook(cleared, { config: SMALL_CONFIG, runId });
  assert.ok(result.kind === "workbook");
  const { workbook } = result;
  assert.deepEqual([workbook.runId, workbook.keySha256], [runId, ""]);
  assert.equal(workbook.configSha256, WORKBOOK.configSha256);
});

/** Each kind of damage, twice in the gate. TOUCHSTONE_FAULTS=2000 runs the whole series. */
const KINDS = Object.entries(MUTATIONS);
const WORKBOOKS = Number(Deno.env.get("TOUCHSTONE_FAULTS") ?? 2 * KINDS.length);
const LONGEST_MS = 2000;

Deno.test(`NFR-1: ${WORKBOOKS} damaged workbooks are refused, or say what the sound one says`, async () => {
  for (let index = 0; index < WORKBOOKS; index++) {
    const [kind, mutate] = KINDS[index % KINDS.length]!;
    const what = `workbook ${index}, ${kind}`;
    const bytes = mutate(SOUND, randomSource(`fault ${index}`));
    const begun = performance.now();
    const result = await readWorkbook(bytes, SMALL_OPTIONS);
    assert.ok(performance.now() - begun < LONGEST_MS, `${what}: too slow`);
    // Whatever the order of its rows, items are read by their numbers.
    if (result.kind === "workbook") assert.deepEqual(result.workbook, WORKBOOK, what);
    else assert.ok(result.problems.every(({ message }) => message.endsWith(".")), what);
  }
});
