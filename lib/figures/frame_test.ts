import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import * as Plot from "@observablehq/plot";
import { type Figure, figureBundle, renderPng, saveFigure } from "./frame.ts";

const TEXT = { title: "Vǫlsunga & <co>", subtitle: "þættir", alt: "Two bars, the second longer." };
const ROWS = [{ name: "þá", value: 1 }, { name: "ǫnnur", value: 2 }];

/** A plot that makes Plot hand out a clip path, whose number grows through the process. */
function clipped(): Plot.PlotOptions {
  return { marginLeft: 40, marks: [Plot.barX(ROWS, { x: "value", y: "name", clip: true })] };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

Deno.test("renderPng() has the size that was asked for", () => {
  const figure = renderPng(clipped(), { ...TEXT, height: 50, width: 120, scale: 2 });
  const view = new DataView(figure.png.buffer);
  assert.equal(figure.width, 240);
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [figure.width, figure.height]);
  assert.ok(figure.height > 2 * 50, "title and subtitle are added to the plot's height");
});

Deno.test("renderPng() gives the same bytes each time, clip paths and all", () => {
  const [first, second] = [1, 2].map(() => renderPng(clipped(), { ...TEXT, height: 50 }));
  assert.match(first!.svg, /id="clip-1"/);
  assert.equal(sha256(first!.svg), sha256(second!.svg));
  assert.equal(sha256(first!.png), sha256(second!.png));
});

Deno.test("renderPng() writes title, description and labels into the SVG", () => {
  const { svg, alt } = renderPng(clipped(), {
    ...TEXT,
    height: 50,
    legend: [{ label: "œ ø á é", color: "#000000" }],
  });
  assert.ok(svg.startsWith(`<svg xmlns="http://www.w3.org/2000/svg"`));
  assert.ok(svg.includes("<title>Vǫlsunga &amp; &lt;co&gt;</title>"));
  assert.ok(svg.includes("<desc>Two bars, the second longer.</desc>"));
  for (const label of ["þá", "ǫnnur", "þættir", "œ ø á é"]) {
    assert.ok(svg.includes(`>${label}<`), label);
  }
  assert.equal(alt, TEXT.alt);
});

Deno.test("renderPng() asks for a title and an alt text", () => {
  const frame = { ...TEXT, height: 50 };
  assert.throws(
    () => renderPng(clipped(), { ...frame, alt: " " }),
    /RangeError: .*alt text is blank/,
  );
  assert.throws(() => renderPng(clipped(), { ...frame, title: "" }), RangeError);
});

Deno.test("renderPng() refuses a title that Plot would put outside the drawing", () => {
  assert.throws(
    () => renderPng({ ...clipped(), title: "lost" }, { ...TEXT, height: 50 }),
    TypeError,
  );
});

Deno.test("renderPng() refuses a key that would be cut off", () => {
  const legend = [{ label: "ǫ".repeat(80), color: "#000000" }];
  assert.throws(() => renderPng(clipped(), { ...TEXT, height: 50, legend }), /RangeError: .*wider/);
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

const FIGURE: Figure = {
  svg: "<svg/>",
  png: Uint8Array.of(137, 80, 78, 71, 0, 255),
  alt: `Bars "A" & "B"`,
  width: 1,
  height: 1,
};

Deno.test("figureBundle() carries the PNG's bytes and the alt text", () => {
  const bundle = figureBundle(FIGURE);
  assert.deepEqual(new Uint8Array(Buffer.from(bundle["image/png"], "base64")), FIGURE.png);
  assert.equal(bundle["text/plain"], FIGURE.alt);
});

Deno.test("saveFigure() writes the PNG and nothing but a PNG", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await saveFigure(`${folder}/bars.png`, FIGURE);
    assert.deepEqual(await Deno.readFile(`${folder}/bars.png`), FIGURE.png);
    await assert.rejects(saveFigure(`${folder}/bars.svg`, FIGURE), RangeError);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
