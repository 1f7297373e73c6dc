import fc from "fast-check";
import { gzipSync, strToU8 } from "fflate";
import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { withFiles } from "../testdata/case_files.ts";
import { dumpPages, folderSource, readWikipediaDump, wikipediaSource } from "./folder.ts";
import { wikiSections } from "./folder.ts";

const FILES = {
  "b.txt": "One line\nand its end.\n\n\nA second paragraph.\r\n",
  "notes/a.md":
    "Before.\n\n# The *Title* #\nSee [here](x.md), it is **bold** and snake_case_ok.\n" +
    "- item\n\n## Part\nText.",
  "c.jsonl": '{"text": "From JSON.", "title": "T", "id": 7}\nbroken\n\n{"text": "Second."}\n' +
    '{"id": "7", "title": null, "text": "Third."}\n{"id": null, "title": 1984, "text": "Fourth."}\n' +
    '{"id": "A_-LRB-x-RRB-", "text": "A -LRB- b -RRB- .", "lines": "0\\tA"}\n' +
    '{"id": "", "text": "", "lines": ""}\n',
  "picture.png": "no text",
  ".hidden.txt": "hidden",
};

Deno.test("folderSource() reads text, Markdown and JSONL, each passage under an id of its own, and passes over lines that are none", () =>
  withFiles(FILES, async (folder) => {
    const found = await Array.fromAsync(folderSource(folder).passages());
    assert.deepEqual(found.map(({ id, title, section, text }) => [id, title, section, text]), [
      ["b.txt#1", "b", "", "One line and its end."],
      ["b.txt#2", "b", "", "A second paragraph."],
      ["7", "T", "", "From JSON."],
      ["c.jsonl#4", "", "", "Second."],
      // An id that occurs twice would give one the other's text.
      ["c.jsonl#5", "", "", "Third."],
      ["c.jsonl#6", "1984", "", "Fourth."],
      ["A_-LRB-x-RRB-", "A (x)", "", "A ( b ) ."],
      ["notes/a.md#1", "a", "", "Before."],
      ["notes/a.md#2", "a", "The Title", "See here, it is bold and snake_case_ok. item"],
      ["notes/a.md#3", "a", "Part", "Text."],
    ]);
  }));

Deno.test("folderSource() has another hash when a file has another name or content", () =>
  withFiles(FILES, (folder) => {
    const hash = () => folderSource(folder).sha256;
    const hashes = [hash(), hash()];
    Deno.writeTextFileSync(join(folder, "b.txt"), "changed");
    hashes.push(hash());
    Deno.renameSync(join(folder, "b.txt"), join(folder, "d.txt"));
    assert.equal(new Set([...hashes, hash()]).size, 3);
    assert.throws(() => folderSource("/nowhere"), /Cannot open the knowledge base: \/nowhere/);
    assert.throws(() => wikipediaSource("/nowhere.xml"), /\/nowhere\.xml cannot be read/);
  }));

const pageXml = (title: string, text: string, { ns = 0, more = "" } = {}) =>
  `<page><title>${title}</title><ns>${ns}</ns><id>1</id>${more}<revision><id>2</id>` +
  `<contributor><username>Someone</username></contributor>` +
  `<text bytes="1" xml:space="preserve">${text}</text></revision></page>\n`;

const HEAD = '<mediawiki xmlns="export-0.10/"><siteinfo><sitename>W</sitename></siteinfo>\n';

const DUMP = HEAD +
  pageXml("Paris &amp; Lyon", "A ''city''.\n\n== Past ==\nOld &lt;ref&gt;x&lt;/ref&gt;.") +
  pageXml("PARIS", "#REDIRECT [[Paris]]", { more: '<redirect title="Paris" />' }) +
  pageXml("Talk:Paris", "Chat.", { ns: 1 }) +
  "</mediawiki>";

/** Cut anywhere, as a file's blocks are. */
function* pieces(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

const all = <T>(values: AsyncIterable<T>) => Array.fromAsync(values);

Deno.test("dumpPages() gives articles only, wherever the text is cut", async () => {
  for (const length of [1, 7, 10_000]) {
    const pages = await all(dumpPages(pieces(DUMP, length), "d.xml"));
    assert.deepEqual(pages.map(({ title }) => title), ["Paris & Lyon"]);
    assert.match(pages[0]!.markup, /Old <ref>x<\/ref>\./);
  }
  const cut = all(dumpPages([DUMP.slice(0, -40)], "cut.xml"));
  await assert.rejects(cut, /Cannot read the dump cut\.xml: .*cut short/);
  await assert.rejects(all(dumpPages(["plain text"], "none.xml")), /Cannot read the dump none/);
});

Deno.test("readWikipediaDump() gives paragraphs under their headings, packed or not", async () => {
  await inFolder(async (folder) => {
    Deno.writeTextFileSync(join(folder, "d.xml"), DUMP);
    Deno.writeFileSync(join(folder, "d.xml.gz"), gzipSync(strToU8(DUMP)));
    for (const collection of ["d.xml", "d.xml.gz"]) {
      const [first, second] = await all(readWikipediaDump(join(folder, collection)));
      const title = "Paris & Lyon";
      const whole = { id: `${title}#1`, text: "A city.", collection, title, section: "" };
      assert.deepEqual(first, whole);
      assert.deepEqual(second, { ...whole, id: `${title}#2`, text: "Old .", section: "Past" });
    }
    await assert.rejects(all(readWikipediaDump(join(folder, "d.xml.bz2"))), /Unpack it first/);
  });
});

Deno.test("Requirement 6.1: dumpPages() holds one article at a time, of 4,000", async () => {
  let written = 0;
  function* dump() {
    yield HEAD;
    const text = "A sentence that says nothing new at all. ".repeat(100);
    for (; written < 4000; written++) yield pageXml(`P${written}`, text);
    yield "</mediawiki>";
  }
  let read = 0;
  let furthestAhead = 0;
  for await (const _ of dumpPages(dump(), "d.xml")) {
    read++;
    furthestAhead = Math.max(furthestAhead, written - read);
  }
  assert.equal(read, 4000);
  assert.ok(furthestAhead <= 1);
});

Deno.test("wikiSections() keeps the words and drops what is around them", () => {
  const markup = `{{Infobox city|name={{lang|fr|X}}|map=[[File:a.png|thumb|A [[map]]]]}}
'''Paris''' is the [[capital city|capital]] of [[France]].<ref name="a">Book, p. 3</ref><ref name=b />
It covers {{convert|105|km2|mi2}}.<!-- check -->

{| class="wikitable"
|-
| cell || [[link]]
|}
== History ==
* Founded by the ''[https://example.org Parisii]'' &ndash; [[File:b.jpg|thumb|caption]]a tribe.
=== Later ===
[[Category:Cities]]
{{Main|Later history}}
`;
  assert.deepEqual(wikiSections(markup), [
    { heading: "", paragraphs: ["Paris is the capital of France.", "It covers 105 km2."] },
    { heading: "History", paragraphs: ["Founded by the Parisii – a tribe."] },
  ]);
});

Deno.test("Requirement 6.1: wikiSections() leaves no mark-up of links or templates, however nested", () => {
  const piece = fc.constantFrom(..."[[,]],{{,}},{|,|},|,word,\n,''',==, ".split(","));
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = wikiSections(pieces.join("")).flatMap(({ paragraphs }) => paragraphs).join("");
    assert.doesNotMatch(text, /\[\[|\]\]|\{\{|\}\}/);
  }));
});
