import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as Plot from "@observablehq/plot";
import { figureBundle, renderPng, saveFigure } from "./frame.ts";

const TEXT = { title: "Vǫlsunga & <co>", subtitle: "þættir", alt: "Two bars, the second longer." };
const FRAME = { ...TEXT, height: 50 };
const ROWS = [{ name: "þá", value: 1 }, { name: "ǫnnur", value: 2 }];

/** A plot that makes Plot hand out a clip path, whose number grows through the process. */
const clipped = (): Plot.PlotOptions => (
  { marginLeft: 40, marks: [Plot.barX(ROWS, { x: "value", y: "name", clip: true })] }
);

Deno.test("renderPng() writes title, description and labels, with the same bytes each time", () => {
  const frame = { ...FRAME, legend: [{ label: "œ ø á é", color: "#000000" }] };
  const [first, second] = [renderPng(clipped(), frame), renderPng(clipped(), frame)];
  assert.match(first.svg, /id="clip-1"/);
  assert.deepEqual(first, second);
  for (
    const text of ["<title>Vǫlsunga &amp; &lt;co&gt;<", `<desc>${TEXT.alt}<`, ">þá<", ">ǫnnur<"]
  ) {
    assert.ok(first.svg.includes(text), text);
  }
  for (const text of [">þættir<", ">œ ø á é<"]) assert.ok(first.svg.includes(text), text);
  assert.equal(first.alt, TEXT.alt);
});

Deno.test("renderPng() asks for a title and an alt text, and refuses what would be lost or cut off", () => {
  const legend = [{ label: "ǫ".repeat(80), color: "#000000" }];
  assert.throws(() => renderPng(clipped(), { ...FRAME, alt: " " }), /alt text is blank/);
  assert.throws(() => renderPng(clipped(), { ...FRAME, title: "" }), RangeError);
  assert.throws(() => renderPng({ ...clipped(), title: "lost" }, FRAME), TypeError);
  const long = "a title that goes on and on ".repeat(5);
  assert.throws(() => renderPng(clipped(), { ...FRAME, title: long }), /takes 3 lines, 2 at most/);
  assert.throws(() => renderPng(clipped(), { ...FRAME, legend }), /RangeError: .*wider/);
});

Deno.test("renderPng() sets Devanagari labels in their own family, and only them", () => {
  const plot: Plot.PlotOptions = {
    marks: [Plot.text([["योग"], ["þá"]], { text: "0", x: 0, fontSize: 10, textAnchor: "end" })],
  };
  const { svg } = renderPng(plot, { ...TEXT, title: "क्षेत्रज्ञः", height: 30 });
  const set = [...svg.matchAll(/font-family="Noto Sans Devanagari"[^>]*>(.*?)<\/text>/g)];
  const syllables = set.map(([, inside = ""]) => [...inside.matchAll(/x="([-\d.]+)">([^<]+)</g)]);
  assert.deepEqual(syllables.map((own) => own.map(([, , text]) => text)), [
    ["क्षे", "त्र", "ज्ञः"],
    ["यो", "ग"],
  ]);
  // Set from the right: the last syllable ends at 0, the first begins a line's width before it.
  const [first, second] = syllables[1]!.map(([, x]) => Number(x));
  assert.ok(first! < second! && second! < 0);
});

Deno.test("figureBundle() and saveFigure() keep the PNG's bytes; nothing but a PNG is written", async () => {
  const png = Uint8Array.of(137, 80, 78, 71, 0, 255);
  const figure = { svg: "<svg/>", png, alt: `Bars "A" & "B"`, width: 1, height: 1 };
  const bundle = figureBundle(figure);
  assert.deepEqual(new Uint8Array(Buffer.from(bundle["image/png"], "base64")), png);
  assert.equal(bundle["text/plain"], figure.alt);
  const folder = await Deno.makeTempDir();
  await saveFigure(`${folder}/bars.png`, figure);
  assert.deepEqual(Deno.readFileSync(`${folder}/bars.png`), png);
  await assert.rejects(saveFigure(`${folder}/bars.svg`, figure), RangeError);
  await Deno.remove(folder, { recursive: true });
});
