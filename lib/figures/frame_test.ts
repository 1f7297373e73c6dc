import assert from "node:assert/strict";
import { unzlibSync } from "fflate";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import * as Plot from "@observablehq/plot";
import { encodePng, figureBundle, renderPng, saveFigure } from "./frame.ts";

const TEXT = { title: "Vǫlsunga & <co>", subtitle: "þættir", alt: "Two bars, the second longer." };
const FRAME = { ...TEXT, height: 50 };
const ROWS = [{ name: "þá", value: 1 }, { name: "ǫnnur", value: 2 }];

/** A plot for which Plot makes a clip path, whose number grows through the process. */
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
  // A name that somebody else has given is no fault: its middle is left out.
  assert.match(renderPng(clipped(), { ...FRAME, legend }).svg, /…/);
  const short = ["A", "OK", "þá"].map((label) => ({ label, color: "#000000" }));
  const { svg } = renderPng(clipped(), { ...FRAME, legend: short });
  for (const { label } of short) assert.ok(svg.includes(`>${label}</text>`), label);
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
  saveFigure(`${folder}/bars.png`, figure);
  assert.deepEqual(Deno.readFileSync(`${folder}/bars.png`), png);
  assert.throws(() => saveFigure(`${folder}/bars.svg`, figure), RangeError);
  await Deno.remove(folder, { recursive: true });
});

/** The chunks of a PNG by name; fails where a length is wrong. */
function chunks(png: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const name = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    found.set(name, png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

/** Reads the red, green and blue of every pixel back from a PNG. */
function decode(png: Uint8Array, width: number): number[] {
  const parts = chunks(png);
  const palette = parts.get("PLTE");
  const rows = unzlibSync(parts.get("IDAT")!);
  const stride = 1 + (palette === undefined ? 3 * width : width);
  const bytes = [...rows].filter((_, i) => i % stride !== 0);
  if (palette === undefined) return bytes;
  return bytes.flatMap((index) => [...palette.subarray(3 * index, 3 * index + 3)]);
}

Deno.test("encodePng() writes one red pixel as the standard prescribes", () => {
  const png = encodePng({ width: 1, height: 1, rgba: Uint8Array.of(255, 0, 0, 255) });
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.deepEqual([...chunks(png).keys()], ["IHDR", "PLTE", "IDAT", "IEND"]);
  assert.deepEqual([...chunks(png).get("IHDR")!], [0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0]);
  // Every PNG ends alike: no data, and the CRC of the letters IEND (W3C PNG, §11.2.5).
  assert.deepEqual([...png.subarray(-12)], [0, 0, 0, 0, 73, 69, 78, 68, 0xae, 0x42, 0x60, 0x82]);
});

Deno.test("encodePng() loses no colour", () => {
  const side = fc.integer({ min: 1, max: 24 });
  const sizes = fc.record({ width: side, height: side });
  const image = sizes.chain(({ width, height }) =>
    fc.uint8Array({ minLength: 4 * width * height, maxLength: 4 * width * height })
      .map((rgba) => ({ width, height, rgba }))
  );
  fc.assert(fc.property(image, (pixels) => {
    const opaque = [...pixels.rgba].filter((_, i) => i % 4 !== 3);
    assert.deepEqual(decode(encodePng(pixels), pixels.width), opaque);
  }));
});

Deno.test("encodePng() leaves the palette out beyond 256 colours, and refuses bytes that do not fit", () => {
  const rgba = new Uint8Array(4 * 257).map((_, i) => [i / 4, i >> 10, 0, 0][i % 4]!);
  const png = encodePng({ width: 257, height: 1, rgba });
  assert.deepEqual([...chunks(png).keys()], ["IHDR", "IDAT", "IEND"]);
  assert.equal(chunks(png).get("IHDR")![9], 2);
  assert.deepEqual(decode(png, 257), [...rgba].filter((_, i) => i % 4 !== 3));
  assert.throws(() => encodePng({ width: 2, height: 1, rgba: new Uint8Array(4) }), RangeError);
});
