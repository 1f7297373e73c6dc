import assert from "node:assert/strict";
import { LONG_FORM, outputsFrom, WIDE_FORM } from "./outputs.ts";
import { systemOutputs } from "./system_outputs.ts";
import { parseTable } from "./table.ts";

const OPTIONS = { delimiter: ",", quotes: true } as const;

const LONG = `segment,document,system,source,translation
s1,news,x,One,Eins
s2,story,x,Two,
s1,news,y,One,Ein
s3,news,x,Three,Drei
s2,story,y,Two,Zwei
s3,news,y,Three,Tres
`;

const read = (text: string, exclude: readonly string[] = []) =>
  systemOutputs(
    outputsFrom(parseTable(text, "f.csv", OPTIONS), LONG_FORM, "f.csv"),
    "f.csv",
    exclude,
  );

Deno.test("systemOutputs() puts segments and systems together, documents in one piece", () => {
  assert.deepEqual(read(LONG), {
    systems: ["x", "y"],
    segments: [
      { segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] },
      { segment: "s3", document: "news", source: "Three", translations: ["Drei", "Tres"] },
      { segment: "s2", document: "story", source: "Two", translations: ["", "Zwei"] },
    ],
  });
});

Deno.test("outputsFrom() takes a wide table: every other column is a system", () => {
  const wide = "source,document,segment,x,y\nOne,news,s1,Eins,Ein\n";
  const outputs = outputsFrom(parseTable(wide, "f.csv", OPTIONS), WIDE_FORM, "f.csv");
  assert.deepEqual(systemOutputs(outputs, "f.csv"), {
    systems: ["x", "y"],
    segments: [{ segment: "s1", document: "news", source: "One", translations: ["Eins", "Ein"] }],
  });
});

Deno.test("outputsFrom() numbers segments and makes each a document where no column says", () => {
  const table = parseTable("source,x,note\nOne,Eins,-\nTwo,Zwei,-\n", "f.csv", OPTIONS);
  const layout = { ...WIDE_FORM, segment: undefined, document: undefined, systems: ["x"] };
  const { segments } = systemOutputs(outputsFrom(table, layout, "f.csv"), "f.csv");
  assert.deepEqual(segments.map((it) => [it.document, it.segment]), [["1", "1"], ["2", "2"]]);
});

Deno.test("outputsFrom() names every column that is missing or stands twice", () => {
  assert.throws(
    () => read("segment,system,system,source,text\n"),
    /column document is missing; column translation is missing; column system stands twice\. Its/,
  );
});

Deno.test("systemOutputs() lists every fault at once", () => {
  const faulty = `${LONG}s1,news,x,One,Doubled
s3,news,z,Tree,Trois
,story,x,Four,Vier
`;
  const message = thrownMessage(() => read(faulty, ["w"]));
  for (
    const fault of [
      "there is no system w to exclude",
      "line 10 has an empty segment",
      "segment s1 of document news has no output of z",
      "segment s2 of document story has no output of z",
      "segment s1 of document news has 2 outputs of x (lines 2, 8)",
      "segment s3 of document news has another source in line 9 than in 5",
    ]
  ) assert.ok(message.includes(fault), `${fault} is not in ${message}`);
});

Deno.test("systemOutputs() does not mind the faults of a system that is left out", () => {
  assert.deepEqual(read(`${LONG}s3,news,z,Three,Trois\n`, ["z"]), read(LONG));
});

Deno.test("systemOutputs() refuses a text that no cell can hold, and names its line", () => {
  const long = `${LONG}s4,news,x,Four,${"v".repeat(32_768)}\ns4,news,y,Four,Vier\n`;
  assert.throws(
    () => read(long),
    /line 8 has a translation of 32768 characters, a cell holds 32767/,
  );
});

function thrownMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return error.message;
  }
  assert.fail("nothing was thrown");
}
