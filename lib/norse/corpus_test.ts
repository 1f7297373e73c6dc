import assert from "node:assert/strict";
import fc from "fast-check";
import { readCorpus, segmentParagraphs, withoutQuotation } from "./corpus.ts";
import { wordsOf } from "./segmentation.ts";
import { readTeiParagraphs } from "./tei.ts";

const tei = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>${body}</body></text></TEI>`;
const chapter = (n: number, ...paragraphs: readonly string[]) =>
  `<div type="chapter" n="${n}">${paragraphs.map((p) => `<p>${p}</p>`).join("")}</div>`;

const PROSE =
  "Ok eptir þetta ferr hann heim til hallar konungs, ok var honum þar vel fagnat um kveldit. " +
  "Hann hét Sigi.";

Deno.test("readTeiParagraphs() tells verse lines from prose by their length", () => {
  const paragraphs = readTeiParagraphs(
    tei(chapter(14, PROSE, '"Hvat er þat fiska,', "böl mörg saman:", "Sigurðr svarar:")),
  );
  assert.deepEqual(paragraphs.map((p) => p.kind), ["prose", "verse", "verse", "prose"]);
});

Deno.test("readTeiParagraphs() drops notes and headings and honours <l>", () => {
  const paragraphs = readTeiParagraphs(
    tei(
      `<div type="chapter" n="3"><head>3. Kapituli</head><p>${PROSE}<note>sic</note></p>` +
        `<lg><l>Deyr fé, deyja frændr, deyr sjalfr it sama, en orðstírr deyr aldregi.</l></lg></div>`,
    ),
  );
  assert.deepEqual(paragraphs.map((p) => [p.kind, p.text.includes("sic")]), [
    ["prose", false],
    ["verse", false],
  ]);
});

Deno.test("readTeiParagraphs() says what is wrong with a document that is not the saga", () => {
  assert.throws(
    () => readTeiParagraphs(tei("<p>Hér hefr upp</p>")),
    /no chapter holds a paragraph/,
  );
  assert.throws(
    () => readTeiParagraphs(tei(`<div type="chapter" n="x"><p>a</p></div>`)),
    /chapter/,
  );
});

Deno.test("segmentParagraphs() numbers all units and gives each exclusion its reason", () => {
  const { sentences, exclusions } = segmentParagraphs([
    {
      chapter: 8,
      position: 1,
      kind: "prose",
      text: 'Sigurðr svarar: "Þat hefi ek aldri gert." Nei. Þá kom mig ór hoölunni. * Ok fór hann.',
    },
    { chapter: 8, position: 2, kind: "verse", text: "mikla hellu" },
  ]);
  assert.deepEqual(sentences.map((s) => [s.id, s.normalised]), [
    ["VS_08_002", "Þat hefi ek aldri gert."],
  ]);
  assert.deepEqual(exclusions.map((e) => [e.position, e.reason]), [
    [1, "speech_tag"],
    [3, "fragment"],
    [4, "printing_error"],
    [5, "editorial_mark"],
    [6, "verse"],
  ]);
});

Deno.test("segmentParagraphs() keeps a long clause with a verb of speaking", () => {
  const text = "Ok er Sinfjǫtli kom heim til hallar konungs, þá mælti hann við drottningu:";
  assert.equal(
    segmentParagraphs([{ chapter: 1, position: 1, kind: "prose", text }]).sentences.length,
    1,
  );
});

Deno.test("segmentParagraphs() keeps the source spelling beside the normalised one", () => {
  const [sentence] = segmentParagraphs([
    { chapter: 1, position: 1, kind: "prose", text: "Þeir börðust við bræðr sína." },
  ]).sentences;
  assert.equal(sentence?.source, "Þeir börðust við bræðr sína.");
  assert.equal(sentence?.normalised, "Þeir bǫrðusk við brœðr sína.");
});

Deno.test("withoutQuotation() removes marks and dashes, never a word", () => {
  const unit = 'Breði hafi riðit á skóginn, -- "ok var hann senn, segir hann.';
  const cleaned = withoutQuotation(unit);
  assert.equal(cleaned, "Breði hafi riðit á skóginn, ok var hann senn, segir hann.");
  assert.deepEqual(wordsOf(cleaned), wordsOf(unit));
});

const words = ["hann", "ok", "konungr", "ferr", "nú", "heim", "þá", "mælti", "vel", "sverðit"];
const noise = ["[sic]", "12", "*", "<note>e</note>", "<lb/>"];
const prose = fc.array(fc.constantFrom(...words, "hann.", "heim:", "vel;"), {
  minLength: 12,
  maxLength: 40,
}).map((parts) => parts.join(" ") + ".");
const noisy = fc.tuple(prose, fc.constantFrom(...noise), prose).map((parts) => parts.join(" "));
const verse = fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 5 })
  .map((parts) => parts.join(" ") + ",");
const document = fc.array(fc.oneof(prose, noisy, verse), { minLength: 1, maxLength: 12 })
  .map((paragraphs) => ({ xml: tei(chapter(1, ...paragraphs)), paragraphs }));

Deno.test(
  "Feature: old-norse-minimal-pairs, Property 1: sentences hold no verse, editorial notes or line numbers",
  () => {
    fc.assert(
      fc.property(document, ({ xml, paragraphs }) => {
        const verses = paragraphs.filter((p) => p.length <= 45);
        for (const { source } of readCorpus(xml).sentences) {
          assert.doesNotMatch(source, /[\d[\]*<>"]/u);
          assert.ok(!verses.includes(source), `verse line among the sentences: ${source}`);
        }
      }),
      { numRuns: 200 },
    );
  },
);
