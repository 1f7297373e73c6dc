import assert from "node:assert/strict";
import type { DatasetItem } from "./dataset.ts";
import { expertAgreement, expertForm, expertReport, isEmptyForm } from "./review.ts";
import { readBlindReview, readExpertForm } from "./review.ts";
import { test } from "./testdata/folder.ts";
import { madeItems } from "./testdata/norse.ts";

const ITEMS: readonly DatasetItem[] = madeItems(40).map((item) => {
  const { pair } = item;
  return { ...item, pair: { ...pair, context: `1.1: ${pair.grammatical} Ok ferr hann heim.` } };
});
const SETS = [{ language: "Old Norse", items: ITEMS }];
const FORM = expertForm(SETS, 8, 1);

/** The form with its grades filled: of the intended member and of the other, pair by pair. */
function filled(...grades: readonly (readonly [good: string, bad: string, remark?: string])[]) {
  let pair = -1;
  let isGood = { A: false, B: false };
  return FORM.split("\n").map((line) => {
    if (line.startsWith("### ")) pair += 1;
    const [good = "", bad = "", remark = ""] = grades[pair] ?? [];
    if (line.startsWith("- A: ")) {
      const first = line.startsWith("- A: Hánum");
      isGood = { A: first, B: !first };
    }
    if (line === "- Grade of A:") return `${line} ${isGood.A ? good : bad}`.trimEnd();
    if (line === "- Grade of B:") return `${line} ${isGood.B ? good : bad}`.trimEnd();
    return line === "- Remark:" ? `${line} ${remark}`.trimEnd() : line;
  }).join("\n");
}
const read = (text: string, partial = false) =>
  readExpertForm(text, SETS, { file: "form.md", partial });
const SURE = Array.from({ length: 8 }, () => ["2", "0"] as const);

Deno.test("expertForm() reveals neither key nor certificate: random order, half and half, no id, lemma or rule", () => {
  assert.equal(expertForm(SETS, 8, 1), FORM);
  assert.notEqual(expertForm(SETS, 8, 2), FORM);
  assert.ok(isEmptyForm(FORM));
  const [cover] = FORM.split("## Old Norse");
  assert.equal(cover!.match(/^- /gmu)?.length, 10, "a cover page of ten lines");
  assert.match(cover!, /in Old Norse\. .*8 pairs at about one minute each: some 8 minutes/su);
  assert.equal(FORM.match(/^- A: Hánum/gmu)?.length, 4);
  assert.match(FORM, /^- Verse: 1\.1: \[…\] Ok ferr hann heim\.$/mu);
  for (const { pair, certificate } of ITEMS) {
    const { rule, lemma, explanation, sha256 } = certificate;
    // Líka is a word of the sentences, as a lemma it is not.
    for (const secret of [pair.id, pair.phenomenon, rule, explanation, sha256, ` ${lemma} `]) {
      assert.ok(!FORM.includes(secret), secret);
    }
  }
  // Each phenomenon has its share of the set; all pairs where there are no more.
  const all = Map.groupBy(read(filled(...SURE)), ({ item }) => item.pair.phenomenon);
  assert.deepEqual([...all.values()].map(({ length }) => length), [2, 2, 2, 2]);
  assert.match(expertForm(SETS, 99, 1), /End of the form: 40 pairs\.\n$/u);
  assert.throws(() => expertForm([{ language: "Gothic", items: [] }], 8, 1), /Gothic has none/);
});

Deno.test("expertAgreement() counts the higher grade of the intended member, equal grades and sound pairs", () => {
  const grades = [...SURE.slice(0, 5), ["2", "1", "a reading"], ["1", "1"], ["0", "2"]] as const;
  const graded = read(filled(...grades));
  const [all] = expertAgreement(graded);
  // Wilson, 6 of 8 at 95 %: (6 + 1.9207) / 11.8415 ± 0.2604.
  const { share, ...counts } = all!;
  assert.deepEqual(Object.values(counts), ["Old Norse", "all", 8, 6, 1, 5]);
  assert.ok(share.kind === "interval");
  assert.deepEqual([share.low, share.high].map((end) => end.toFixed(3)), ["0.409", "0.929"]);
  const report = expertReport(graded);
  assert.match(report, /Doubted pairs \(3\)/);
  const { id, grammatical, ungrammatical } = graded[5]!.item.pair;
  const line = `| ${id} | ${grammatical} | 2 | ${ungrammatical} | 1 | a reading |`;
  assert.ok(report.includes(line));
  assert.match(expertReport(read(filled(...SURE))), /No pair is doubted\./);
});

Deno.test("readExpertForm() names each line that is missing, torn, changed or half filled", () => {
  const lines = filled(...SURE).split("\n");
  const at = lines.findIndex((line) => line.startsWith("### 3.")) + 1;
  const edited = (offset: number, ...instead: readonly string[]) =>
    lines.toSpliced(at - 1 + offset, 1, ...instead).join("\n");
  const torn = lines.slice(0, at + 20).join("\n");
  const cases: readonly (readonly [text: string, message: string, partial?: boolean])[] = [
    [edited(5, "- Grade of A:"), `line ${at + 5}: this sentence has no grade`],
    [edited(5, "- Grade of A:"), `line ${at + 5}: this sentence has no grade`, true],
    [edited(6, "- Grade of B: 3"), `line ${at + 6}: the grade is "3"; write 0, 1 or 2`],
    [edited(6), `line ${at}: this sentence has no grade`],
    [edited(3, "- A: Annat."), `line ${at}: the sentences of this pair are not as the form gave`],
    [edited(0, "### 3. 0123456789"), `line ${at}: 3. 0123456789 is none of Old Norse`],
    [edited(0), "it is no whole form: it has 7 of 8 pairs"],
    [torn, "it is no whole form: it has 5 of ? pairs"],
    ["# Notes\n", "it is no whole form: it has 0 of ? pairs"],
    [expertForm(SETS, 12, 1), "… and 4 more"],
  ];
  for (const [text, message, partial] of cases) {
    assert.throws(() => read(text, partial), (error) => {
      assert.ok(error instanceof SyntaxError && error.message.startsWith("Cannot read form.md:\n"));
      assert.ok(error.message.includes(message), error.message);
      return true;
    });
  }
});

Deno.test("readExpertForm() takes what an editor does to a form: other line ends, NFD, remarks of several lines", () => {
  const remarked = filled(["2", "0", "first"], ...SURE.slice(1))
    .replace("- Remark: first", "* Remark: first\n  second line");
  const graded = read(remarked.replaceAll("\n", "\r\n").normalize("NFD"));
  assert.equal(graded[0]!.remark, "first second line");
  assert.ok(!isEmptyForm(remarked));
  assert.ok(!isEmptyForm("# Notes\n"));
  // Unread pairs are left out where that was asked for.
  assert.equal(read(filled(["2", "0"], ["1", "0"]), true).length, 2);
  assert.deepEqual(read(FORM, true), []);
});

const REVIEWED = madeItems(2);

/** Reads a file with these lines under its header. */
function readRows(at: (name: string) => string, ...lines: readonly string[]) {
  const header = "pair_id,sha256,chose_grammatical,rating,remark";
  Deno.writeTextFileSync(at("review.csv"), [header, ...lines, ""].join("\n"));
  return readBlindReview(at("review.csv"), REVIEWED);
}

test("readBlindReview() finds a pair by its hash, whatever its number was; refuses what is no rating", (at) => {
  assert.deepEqual(readBlindReview(at("review.csv"), REVIEWED), []);
  const [{ pairId, sha256 }] = [REVIEWED[1]!.certificate];
  const rows = readRows(at, `old_0009,${sha256},True,0,`, `old_0001,gone,True,3,`);
  assert.deepEqual(rows, [{ pairId, sha256, choseGrammatical: true, rating: 0, remark: "" }]);
  assert.throws(() => readRows(at, `a,${sha256},true,0,`), /expected one of "True"/);
  assert.throws(() => readRows(at, `a,${sha256},True,4,`), /rating: Invalid option/);
});
