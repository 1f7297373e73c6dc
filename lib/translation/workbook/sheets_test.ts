import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { inFolder } from "../../files/testdata/folder.ts";
import {
  bomb,
  edited,
  EVAL_PART,
  SMALL_CONFIG,
  smallWorkbook,
  withDeclaredSize,
} from "../testdata/workbooks.ts";
import { readArchive, zipArchive } from "./sheets.ts";
import { writeWorkbook } from "./write_workbook.ts";

const SMALL = zipSync({ "a.xml": strToU8("<a>text text text</a>"), "b.xml": strToU8("<b/>") });

Deno.test("readArchive() gives back what zipArchive() packed, stored or deflated", () => {
  const parts = new Map([["a.xml", strToU8("a".repeat(100_000))], ["b", new Uint8Array()]]);
  for (const level of [0, 6] as const) {
    assert.deepEqual([...readArchive(zipArchive(parts, level))], [...parts]);
  }
});

Deno.test("readArchive() says what is wrong with a file that is no sound archive", () => {
  // In the first part's own header: flags at 6, method at 8, and in its data.
  const at = (offset: number, value: number) => SMALL.with(offset, value);
  const large = zipSync({ "a.xml": new Uint8Array(41_000_000) });
  const faults: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /no XLSX/],
    [strToU8("item_id,source"), /no XLSX workbook, whatever its name; of a CSV .* prepare/],
    [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /password or is an old \.xls/],
    [SMALL.slice(0, 45), /damaged, cut off/],
    [at(8, 12), /damaged, cut off or encrypted/],
    [at(36, 0xff), /damaged, cut off/],
    [large, /over 40 MB/],
    [zipSync({ "a.xml": strToU8("1"), "A.xml": strToU8("2") }), /two parts named A\.xml/],
  ];
  for (const [bytes, message] of faults) assert.throws(() => readArchive(bytes), message);
});

Deno.test({
  name: "NFR-1: a zip bomb is stopped by its declared size, and by its true one where that lies",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder(async (folder) => {
      const small = await writeWorkbook(smallWorkbook(), SMALL_CONFIG);
      const rows = `${'<row r="9"/>'.repeat(3_000_000)}</sheetData>`;
      const honest = bomb(300);
      const files = {
        "sound.xlsx": small,
        "honest.xlsx": honest,
        "less.xlsx": withDeclaredSize(honest, 1000),
        "more.xlsx": withDeclaredSize(honest, 39_000_000),
        "crowded.xlsx": edited(small, EVAL_PART, (xml) => xml.replace("</sheetData>", rows)),
      };
      for (const [name, bytes] of Object.entries(files)) {
        Deno.writeFileSync(`${folder}/${name}`, bytes);
      }
      // A process of its own: /proc/self/status takes every permission.
      const script = new URL("../testdata/read_and_measure.ts", import.meta.url).href;
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", "--allow-all", script, ...Object.keys(files)],
        cwd: folder,
      }).output();
      const lines = new TextDecoder().decode(stdout).trim().split("\n");
      assert.equal(lines.length, 4, new TextDecoder().decode(stderr));
      for (const line of lines) {
        const { kind, grownMb } = JSON.parse(line);
        assert.ok(kind === "refused" && grownMb < 300, line);
      }
    }),
});
