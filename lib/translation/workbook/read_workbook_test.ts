import assert from "node:assert/strict";
import { strToU8 } from "fflate";
import { parseRunConfig } from "../configuration.ts";
import { displayMapJson } from "../hashes.ts";
import {
  BOOK_PART,
  edited,
  EVAL_PART,
  INPUTS_PART,
  SMALL_CONFIG,
  SMALL_OPTIONS,
  smallWorkbook,
  STYLES_PART,
  withCell,
} from "../testdata/workbooks.ts";
import { readArchive, zipArchive } from "./archive.ts";
import { readWorkbook } from "./read_workbook.ts";
import { writeWorkbook } from "./write_workbook.ts";

const WORKBOOK = smallWorkbook();
const SOUND = await writeWorkbook(WORKBOOK, SMALL_CONFIG);
const text = (value: string) => `t="inlineStr"><is><t>${value}</t></is>`;

/** Every problem as `sheet row column: message`. */
async function problemsOf(bytes: Uint8Array, options = SMALL_OPTIONS): Promise<readonly string[]> {
  const result = await readWorkbook(bytes, options);
  if (result.kind === "workbook") return [];
  return result.problems.map(({ sheet, row, column, message }) =>
    `${sheet ?? "-"} ${row ?? "-"} ${column ?? "-"}: ${message}`
  );
}

async function assertProblems(bytes: Uint8Array, ...expected: readonly RegExp[]): Promise<void> {
  const problems = await problemsOf(bytes);
  for (const pattern of expected) {
    assert.ok(problems.some((problem) => pattern.test(problem)), `${pattern}: ${problems}`);
  }
  assert.equal(problems.length, expected.length, problems.join("\n"));
}

Deno.test("readWorkbook() gives back what was written, begun and untouched items too", async () => {
  assert.deepEqual(await readWorkbook(SOUND, SMALL_OPTIONS), {
    kind: "workbook",
    workbook: WORKBOOK,
  });
});

Deno.test("NFR-1: readWorkbook() says which of the three hashes of an input stands alone", async () => {
  const hash = text("0".repeat(64));
  await assertProblems(
    withCell(SOUND, INPUTS_PART, "C2", text("anders")),
    /^inputs 2 row_input_hash: The source or a translation of item 1 was changed/,
  );
  await assertProblems(
    withCell(SOUND, INPUTS_PART, "F2", hash),
    /^inputs 2 row_input_hash: The hash of item 1 was changed or lost in inputs/,
  );
  await assertProblems(
    withCell(SOUND, EVAL_PART, "R2", hash),
    /^eval 2 row_input_hash: The input's hash of item 1 was changed or lost in eval/,
    /^eval 2 row_eval_hash: The row of item 1 was changed/,
  );
});

Deno.test("NFR-1: readWorkbook() refuses a rating changed or added outside the page", async () => {
  const changed =
    /^eval 2 row_eval_hash: The row of item 1 was changed outside the rating page.* as this page last saved it\.$/;
  await assertProblems(withCell(SOUND, EVAL_PART, "G2", "><v>99</v>"), changed);
  await assertProblems(withCell(SOUND, EVAL_PART, "J2", text("other comment")), changed);
  await assertProblems(
    withCell(SOUND, EVAL_PART, "S2", "><v></v>"),
    /^eval 2 row_eval_hash: Item 1 has ratings but no hash/,
  );
  assert.deepEqual(await problemsOf(withCell(SOUND, EVAL_PART, "S4", "><v></v>")), []);
});

Deno.test("FR-4: readWorkbook() recomputes the order and refuses another", async () => {
  const other = displayMapJson(WORKBOOK.items[0]!.evaluation.displayMap.toReversed());
  await assertProblems(
    withCell(SOUND, EVAL_PART, "C2", text(other)),
    /^eval 2 display_map_json: The order of item 1 is not the one/,
  );
  await assertProblems(
    withCell(SOUND, EVAL_PART, "C2", "><v></v>"),
    /^eval 2 display_map_json: The display_map_json is missing here/,
  );
});

Deno.test("NFR-1: readWorkbook() lists everything that is wrong, not only the first", async () => {
  let bytes = withCell(SOUND, INPUTS_PART, "A3", "><v>1</v>");
  bytes = withCell(bytes, INPUTS_PART, "D1", text("system_d"));
  bytes = withCell(bytes, EVAL_PART, "J2", "><f>1+1</f><v>2</v>");
  bytes = withCell(bytes, EVAL_PART, "M3", text("often"));
  await assertProblems(
    bytes,
    /^inputs 1 -: The workbook has 2 translations of each sentence, the configuration 3/,
    /^inputs 1 system_d: Cell D1 has a heading that does not belong here/,
    /^inputs 1 t2: The column t2 is missing/,
    /^inputs 3 item_id: The item_id 1 stands in row 2 already/,
    /^eval 2 comment: Cell J2 holds a formula/,
    /^eval 3 item_id: Item 2 is missing from the sheet inputs/,
  );
});

Deno.test("readWorkbook() names the cell that holds neither text nor a number", async () => {
  const dated = edited(
    SOUND,
    STYLES_PART,
    (xml) =>
      xml.replace("</cellXfs>", `<xf numFmtId="14" applyNumberFormat="1" xfId="0"/></cellXfs>`),
  );
  const kinds: readonly (readonly [string, RegExp])[] = [
    [`t="b"><v>1</v>`, /Cell J2 holds a true\/false value/],
    [`t="e"><v>#REF!</v>`, /Cell J2 holds an error value/],
    [`s="2"><v>46053.5</v>`, /Cell J2 holds a date \(or .*: give it the format General\); it must/],
    [`><f>A1</f>`, /Cell J2 holds a formula/],
    [`><v>abc</v>`, /Cell J2 holds neither text nor a number/],
  ];
  for (const [content, message] of kinds) {
    await assertProblems(withCell(dated, EVAL_PART, "J2", content), message);
  }
});

Deno.test("readWorkbook() gives items in the order of their numbers when the sheet was sorted", async () => {
  const sorted = edited(
    SOUND,
    INPUTS_PART,
    (xml) =>
      xml.replace(/r="([A-Z]*)([23])"/g, (_, column, row) => `r="${column}${5 - Number(row)}"`),
  );
  assert.notDeepEqual(sorted, SOUND);
  assert.deepEqual(await readWorkbook(sorted, SMALL_OPTIONS), {
    kind: "workbook",
    workbook: WORKBOOK,
  });
});

Deno.test("readWorkbook() reads a workbook to which a program or its user added links and notes", async () => {
  const inSheet = (bytes: Uint8Array, markup: string) =>
    edited(bytes, INPUTS_PART, (xml) => xml.replace("</worksheet>", `${markup}</worksheet>`));
  const link = (place: string) =>
    `<hyperlinks><hyperlink ref="C2" ${place}/></hyperlinks><legacyDrawing r:id="rId2"/>`;
  const added = zipArchive(
    new Map([
      ...readArchive(inSheet(SOUND, link(`r:id="rId1"`))),
      [
        "xl/worksheets/_rels/sheet1.xml.rels",
        strToU8(
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
            relation(1, "hyperlink", 'Target="https://example.org" TargetMode="External"') +
            relation(2, "vmlDrawing", 'Target="../drawings/vmlDrawing1.vml"') +
            relation(3, "comments", 'Target="../comments1.xml"') + "</Relationships>",
        ),
      ],
      ["xl/comments1.xml", strToU8("<comments/>")],
    ]),
    6,
  );
  assert.deepEqual(await problemsOf(added), []);
  assert.deepEqual(await problemsOf(inSheet(SOUND, link(`location="eval!A1"`))), []);

  function relation(id: number, type: string, target: string): string {
    const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    return `<Relationship Id="rId${id}" Type="${types}/${type}" ${target}/>`;
  }
});

Deno.test("FR-1: readWorkbook() refuses sheets that are missing or too many", async () => {
  await assertProblems(
    edited(SOUND, BOOK_PART, (xml) => xml.replace(`name="eval"`, `name="ratings"`)),
    /^- - -: The sheet eval is missing/,
    /^- - -: The sheet ratings does not belong/,
  );
});

Deno.test("FR-2: readWorkbook() refuses another configuration and another number", async () => {
  const other = {
    ...SMALL_OPTIONS,
    config: parseRunConfig("num_translations: 3\nda_max: 10", "x"),
  };
  assert.match(
    (await problemsOf(SOUND, other)).join(),
    /^- - -: This file belongs to another page.* another run configuration .* languages count too\)[^:]*$/,
  );
  const four = { ...SMALL_OPTIONS, config: parseRunConfig("num_translations: 4", "x") };
  const problems = await problemsOf(SOUND, four);
  assert.equal(problems.length, 1);
  assert.match(
    problems[0]!,
    /^- - -: This file has 3 translations a sentence, this page is for 4: it belongs to another/,
  );
});

Deno.test("FR-2: readWorkbook() gives a workbook that was never opened its run and order", async () => {
  const cleared = edited(
    SOUND,
    EVAL_PART,
    (xml) => xml.replace(/<c r="(?:[BC]|[DEFGHIJKLMNOPQS])[2-4]".*?<\/c>/gs, ""),
  );
  const runId = "11111111-2222-4333-8444-555555555555";
  const result = await readWorkbook(cleared, { config: SMALL_CONFIG, runId });
  assert.ok(result.kind === "workbook");
  assert.equal(result.workbook.runId, runId);
  assert.equal(result.workbook.keySha256, "");
  assert.equal(result.workbook.configSha256, WORKBOOK.configSha256);
});

Deno.test("FR-2: readWorkbook() refuses a run_id that some rows have and others lack", async () => {
  await assertProblems(
    withCell(SOUND, EVAL_PART, "B3", "><v></v>"),
    /^eval 3 run_id: The run_id is not the one in row 2/,
  );
});
