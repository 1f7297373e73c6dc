import assert from "node:assert/strict";
import fc from "fast-check";
import { unzlibSync } from "fflate";
import { encodePng } from "./png.ts";

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

/** Red, green and blue of every pixel, read back from a PNG as this module writes it. */
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
