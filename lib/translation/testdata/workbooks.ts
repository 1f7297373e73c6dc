import { Buffer } from "node:buffer";
import { strFromU8, strToU8, Zip, ZipDeflate } from "fflate";
import { choose, type RandomSource } from "../../stats/random.ts";
import { parseRunConfig } from "../configuration.ts";
import { type ItemEvaluation, type RatingWorkbook, UNRATED } from "../types.ts";
import { readArchive, zipArchive } from "../workbook/sheets.ts";
import { newWorkbook } from "../workbook/write_workbook.ts";

/** A configuration with three translations per sentence. */
export const SMALL_CONFIG = parseRunConfig("num_translations: 3", "test");

/** Options for reading the small workbook. */
export const SMALL_OPTIONS = {
  config: SMALL_CONFIG,
  runId: "6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11",
};

const TEXTS = [
  ["The cat sleeps.", "Die Katze schläft.", "Der Kater pennt.", "Katze schlafen."],
  ["It rains.", "Es regnet.", "Es ist Regen.", ""],
  ["Good night!", "Gute Nacht!", "Gute _x0041_ Nacht!", "  Nacht gute\nzeilenweise"],
];

/** Evaluations of the first item (confirmed) and the second (begun). */
const RATED: readonly Partial<ItemEvaluation>[] = [{
  ratings: [{ bucket: "best", da: 91 }, { bucket: "good", da: 70 }, { bucket: "poor", da: 12 }],
  comment: "the last has no inflection",
  startedAt: "2026-01-31T09:30:00.000Z",
  committedAt: "2026-01-31T09:31:12.500Z",
  editCount: 1,
  activeSeconds: 63.4,
  highlightSeconds: 2.5,
  idleSeconds: 0,
}, {
  ratings: [{ bucket: "best", da: undefined }, { bucket: undefined, da: 55 }, UNRATED],
  startedAt: "2026-01-31T09:31:13.000Z",
  activeSeconds: 4.1,
}];

/** A workbook of three items: confirmed, begun and untouched. */
export function smallWorkbook(): RatingWorkbook {
  const inputs = TEXTS.map(([source = "", ...translations], index) => {
    return { itemId: index + 1, source, translations };
  });
  const fresh = newWorkbook(inputs, { ...SMALL_OPTIONS, keySha256: "ab".repeat(32) });
  const items = fresh.items.map(({ input, evaluation }, index) => {
    return { input, evaluation: { ...evaluation, ...RATED[index] } };
  });
  return { ...fresh, items };
}

export const INPUTS_PART = "xl/worksheets/sheet1.xml";
export const EVAL_PART = "xl/worksheets/sheet2.xml";
const STRINGS_PART = "xl/sharedStrings.xml";
export const BOOK_PART = "xl/workbook.xml";

/** Rewrites one part's XML in a valid archive; undefined removes the part. */
export function edited(
  bytes: Uint8Array,
  part: string,
  rewrite: (xml: string) => string | undefined,
): Uint8Array {
  const parts = new Map(readArchive(bytes));
  const xml = rewrite(strFromU8(parts.get(part)!));
  if (xml === undefined) parts.delete(part);
  else parts.set(part, strToU8(xml));
  return zipArchive(parts, 6);
}

/** Replaces the content of one cell, e.g. `C2` by `t="b"><v>1</v>`. */
export function withCell(bytes: Uint8Array, part: string, address: string, content: string) {
  return edited(bytes, part, (xml) => {
    const cell = new RegExp(`<c r="${address}"[^>]*>.*?</c>`, "s");
    const row = new RegExp(`(<row r="${address.replace(/\D/g, "")}".*?)(</row>)`, "s");
    const written = `<c r="${address}" ${content}</c>`;
    return cell.test(xml)
      ? xml.replace(cell, () => written)
      : xml.replace(row, (_, begin, end) => begin + written + end);
  });
}

/** Returns a ZIP archive with a sheet of zero bytes, in megabytes. */
export function bomb(megabytes: number): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((_, chunk) => chunks.push(chunk as Uint8Array<ArrayBuffer>));
  const sheet = new ZipDeflate("xl/worksheets/sheet1.xml", { level: 1 });
  const megabyte = new Uint8Array(1_000_000);
  zip.add(sheet);
  for (let done = 1; done <= megabytes; done++) sheet.push(megabyte, done === megabytes);
  zip.end();
  return Buffer.concat(chunks);
}

/** Returns the archive with another declared size of its first part (APPNOTE 4.3.12). */
export function withDeclaredSize(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  let entry = 0;
  while (view.getUint32(entry, true) !== 0x02014b50) entry++;
  view.setUint32(entry + 24, size, true);
  return changed;
}

/** Returns the workbook with a second style: numbers as dates, or another Excel format. */
export function withDates(bytes: Uint8Array, numFmtId = 14): Uint8Array {
  const style = `<xf numFmtId="${numFmtId}" applyNumberFormat="1" xfId="0"/>`;
  return edited(bytes, "xl/styles.xml", (xml) => xml.replace("</cellXfs>", `${style}</cellXfs>`));
}

/** Swaps the second and third row of a sheet. */
export function withRowsSwapped(xml: string): string {
  return xml.replace(/r="([A-Z]*)([23])"/g, (_, column, row) => `r="${column}${5 - Number(row)}"`);
}

/** Damages the bytes of a workbook at random. */
type Mutation = (bytes: Uint8Array, random: RandomSource) => Uint8Array;
type Rewrite = (xml: string, random: RandomSource) => string | undefined;
const sheetPart = (random: RandomSource) => random.integer(2) === 0 ? INPUTS_PART : EVAL_PART;

/** Applies a change to one of the two sheets at random. */
const inSheet = (rewrite: Rewrite): Mutation => (bytes, random) =>
  edited(bytes, sheetPart(random), (xml) => rewrite(xml, random));

const inPart = (part: string, rewrite: Rewrite): Mutation => (bytes, random) =>
  edited(bytes, part, (xml) => rewrite(xml, random));

/** Replaces one of the matches, chosen at random. */
const replaced =
  (pattern: RegExp, by: (match: string, random: RandomSource) => string): Rewrite =>
  (xml, random) => {
    const matches = [...xml.matchAll(pattern)];
    const { index, 0: match = "" } = matches.length > 0 ? choose(random, matches) : { index: 0 };
    return xml.slice(0, index) + (match && by(match, random)) + xml.slice(index + match.length);
  };

const CELL = /<c r=.*?<\/c>/gs;
const ROW = /<row .*?<\/row>/gs;
const ITEM = /<si>.*?<\/si>/gs;

const CONTENTS = [
  `><v>1e308</v>`,
  `><v>-3</v>`,
  `><v>abc</v>`,
  `><v>2.5</v>`,
  `><v></v>`,
  `t="b"><v>1</v>`,
  `t="e"><v>#REF!</v>`,
  `t="nonsense"><v>5</v>`,
  `s="2"><v>46053.5</v>`,
  `t="s"><v>99999</v>`,
  `t="s"><v>-1</v>`,
  `t="d"><v>2026-01-31</v>`,
  `><f>1+1</f><v>2</v>`,
  `t="str"><f>HYPERLINK("x")</f><v>x</v>`,
  `t="inlineStr"><is><t>other</t></is>`,
  `t="inlineStr"><is><r><t>rich</t></r><r><t> text</t></r></is>`,
];

/** Returns a cell address in columns A to S. It is in the heading or an item. */
const address = (random: RandomSource) =>
  `${String.fromCharCode(65 + random.integer(19))}${1 + random.integer(4)}`;

const afterCells = (text: string): Rewrite => (xml) =>
  xml.replace("</sheetData>", `</sheetData>${text}`);

const inserted = (text: string, random: RandomSource, what: string) => {
  const place = random.integer(text.length);
  return text.slice(0, place) + what + text.slice(place);
};

const CHARACTERS = ["q", "7", "", "&amp;", "\u0301"];
const MARKS = ["<", ">", "&", "<x>", "</c>", "]]>"];
const FAR = ["XFD1048576", "XFD2", "A1048576", "ZZZZZ9", "A99999999999", "A0"];
const WIDE = "A1:XFD1048576";

/** Types of damage by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "missing cell": inSheet(replaced(CELL, () => "")),
  "doubled cell": inSheet(replaced(CELL, (cell, random) => {
    return cell + cell.replace(/<v>.*<\/v>/, `<v>${random.integer(30)}</v>`);
  })),
  "moved cell": inSheet(replaced(CELL, (cell, random) => {
    return cell.replace(/r="\w+"/, `r="${address(random)}"`);
  })),
  "other content": (bytes, random) =>
    withCell(withDates(bytes), sheetPart(random), address(random), choose(random, CONTENTS)),
  "huge cell": (bytes, random) => {
    const text = "y".repeat(choose(random, [32_768, 400_000, 3_000_000]));
    const content = `t="inlineStr"><is><t>${text}</t></is>`;
    return withCell(bytes, sheetPart(random), address(random), content);
  },
  "far cell": inSheet((xml, random) => {
    const far = choose(random, FAR);
    const cell = `<c r="${far}" t="inlineStr"><is><t>x</t></is></c>`;
    const row = `<row r="${far.replace(/\D/g, "")}">${cell}</row>`;
    return xml.replace("</sheetData>", `${row}</sheetData>`);
  }),
  "missing row": inSheet(replaced(ROW, () => "")),
  "doubled row": inSheet(replaced(ROW, (row) => row + row)),
  "swapped rows": inSheet(withRowsSwapped),
  "swapped strings": inPart(STRINGS_PART, (xml, random) => {
    const items = xml.match(ITEM)!;
    const [one, other] = random.sample([...items.keys()], 2) as [number, number];
    const swapped = items.with(one, items[other]!).with(other, items[one]!).values();
    return xml.replace(ITEM, () => swapped.next().value!);
  }),
  "missing string": inPart(STRINGS_PART, replaced(ITEM, () => "")),
  "changed character": inPart(
    STRINGS_PART,
    replaced(/[\p{L}\d](?=[^<>]*<\/t>)/gu, (_, random) => choose(random, CHARACTERS)),
  ),
  "no strings": inPart(STRINGS_PART, () => undefined),
  "no workbook": inPart(BOOK_PART, () => undefined),
  "no sheet": inSheet(() => undefined),
  "sheet renamed": inPart(BOOK_PART, replaced(/name="(inputs|eval)"/g, () => `name="Inputs"`)),
  "sheets exchanged": inPart(BOOK_PART, (xml) => {
    return xml.replace("rId4", "rId0").replace("rId5", "rId4").replace("rId0", "rId5");
  }),
  "sheet added": inPart(BOOK_PART, (xml, random) => {
    const sheet = `<sheet sheetId="3" name="${choose(random, ["systems", "eval"])}" r:id="rId5"/>`;
    return xml.replace("</sheets>", `${sheet}</sheets>`);
  }),
  "wide names": inPart(BOOK_PART, (xml) => {
    const names = `<definedName name="a">inputs!$A$1:$XFD$1048576</definedName>`;
    return xml.replace("<calcPr", `<definedNames>${names}</definedNames><calcPr`);
  }),
  "wide merge": inSheet(
    afterCells(`<mergeCells count="1"><mergeCell ref="${WIDE}"/></mergeCells>`),
  ),
  "wide format": inSheet(afterCells(
    `<conditionalFormatting sqref="${WIDE}"><cfRule type="expression" priority="1"><formula>1</formula></cfRule></conditionalFormatting>`,
  )),
  "cut XML": inSheet((xml, random) => xml.slice(0, random.integer(xml.length))),
  "stray mark": inSheet((xml, random) => inserted(xml, random, choose(random, MARKS))),
  "entities": inSheet((xml) => {
    const entities = `<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>`;
    return xml.replace("<worksheet", `${entities}<worksheet`).replace("<v>", "<v>&b;");
  }),
  "deep nesting": inSheet((xml) => {
    return xml.replace("<sheetData>", `<sheetData>${"<x>".repeat(20_000)}`);
  }),
  "cut off": (bytes, random) => bytes.slice(0, random.integer(bytes.length)),
  "bits flipped": (bytes, random) => {
    const flipped = bytes.slice();
    for (let flips = 1 + random.integer(3); flips > 0; flips--) {
      flipped[random.integer(flipped.length)]! ^= 1 << random.integer(8);
    }
    return flipped;
  },
};
