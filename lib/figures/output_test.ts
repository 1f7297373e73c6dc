import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { figureBundle, figureHtml, saveFigure } from "./output.ts";
import type { Figure } from "./render.ts";

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

Deno.test("figureHtml() escapes its path and alt text", () => {
  assert.equal(
    figureHtml("figures/norse/a&b.png", FIGURE, 400),
    `<img src="figures/norse/a&amp;b.png" alt="Bars &quot;A&quot; &amp; &quot;B&quot;" width="400">`,
  );
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
