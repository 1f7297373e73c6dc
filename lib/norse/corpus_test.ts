import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError, type RunProcess } from "../files/pip.ts";
import { inFolder } from "../files/testdata/folder.ts";
import { wordsOf } from "./candidate.ts";
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
  const [only] = sentences;
  assert.deepEqual([only?.id, only?.normalised], ["VS_08_002", "Þat hefi ek aldri gert."]);
  const reasons = exclusions.map(({ position, reason }) => `${position} ${reason}`).join(", ");
  assert.equal(reasons, "1 speech_tag, 3 fragment, 4 printing_error, 5 editorial_mark, 6 verse");
});

Deno.test("segmentParagraphs() keeps long clauses of speech and the source's spelling, without its marks", () => {
  const clause = "Ok er Sinfjǫtli kom heim til hallar konungs, þá mælti hann við drottningu:";
  const text = `${clause} Þeir börðust við bræðr sína, -- "ok var hann senn, segir hann.`;
  const { sentences } = segmentParagraphs([{ chapter: 1, kind: "prose", text }]);
  assert.deepEqual(sentences.map(({ source }) => source), [
    clause,
    "Þeir börðust við bræðr sína, ok var hann senn, segir hann.",
  ]);
  assert.match(sentences[1]!.normalised, /^Þeir bǫrðusk við brœðr sína/u);
});

Deno.test("splitSentences() cuts at . : ; ? ! and keeps the mark, and closing quotation, with its sentence", () => {
  const text = 'Hann hét Breði. Hví ferr þú? Ger svá! Hann svarar: "Satt er þat." Já; nú.';
  assert.deepEqual(splitSentences(text), [
    ...["Hann hét Breði.", "Hví ferr þú?", "Ger svá!", "Hann svarar:", '"Satt er þat."'],
    ...["Já;", "nú."],
  ]);
  assert.deepEqual(splitSentences("  \n "), []);
});

const piece = fc.constantFrom("hann", "ok", "þá", "mælti", "dóttur", "Ǫrn", '"nei', 'já"');
const joint = fc.constantFrom(" ", ". ", ": ", "; ", ", ", "? ", '." ', ".", ":x", "\n   ");
const paragraph = fc.array(fc.tuple(piece, joint), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.flat().join(""));

Deno.test("Feature: old-norse-minimal-pairs, Property 3: boundaries stand at punctuation, never inside a word", () => {
  fc.assert(
    fc.property(paragraph, (text) => {
      const sentences = splitSentences(text);
      assert.equal(sentences.join(" "), text.replace(/\s+/gu, " ").trim());
      for (const sentence of sentences.slice(0, -1)) assert.match(sentence, /[.:;?!]["”»]*$/u);
      assert.deepEqual(sentences.flatMap(wordsOf), wordsOf(text));
    }),
    { numRuns: 500 },
  );
});

const words = ["hann", "ok", "konungr", "ferr", "nú", "heim", "þá", "mælti", "vel", "sverðit"];
const noise = fc.constantFrom("[sic]", "12", "*", "<note>e</note>", "<lb/>");
const prose = fc.array(fc.constantFrom(...words, "hann.", "heim:", "vel;"), {
  minLength: 12,
  maxLength: 40,
}).map((parts) => parts.join(" ") + ".");
const noisy = fc.tuple(prose, noise, prose).map((parts) => parts.join(" "));
const verse = fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 5 })
  .map((parts) => parts.join(" ") + ",");
const document = fc.array(fc.oneof(prose, noisy, verse), { minLength: 1, maxLength: 12 });

Deno.test("Feature: old-norse-minimal-pairs, Property 1: sentences hold no verse, editorial notes or line numbers", () => {
  fc.assert(
    fc.property(document, (paragraphs) => {
      const verses = paragraphs.filter((p) => p.length <= 45);
      for (const { source } of readCorpus(tei(chapter(1, ...paragraphs))).sentences) {
        assert.doesNotMatch(source, /[\d[\]*<>"]/u);
        assert.ok(!verses.includes(source), `verse line among the sentences: ${source}`);
      }
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
