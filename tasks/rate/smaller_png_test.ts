import assert from "node:assert/strict";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { smallerPng } from "./smaller_png.ts";

/** A chunk at its place in the file: length, type, data, checksum. */
function chunk(type: string, data: readonly number[] | Uint8Array): readonly number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  const number = (value: number) => [24, 16, 8, 0].map((shift) => value >>> shift & 255);
  return [...number(data.length), ...body, ...number(crc32(Uint8Array.from(body)))];
}

const SIGNATURE = [0x89, ...new TextEncoder().encode("PNG\r\n\x1a\n")];

/** A PNG two pixels wide of rows that are filtered already, each with its filter in front. */
function filteredPng(rows: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([
    ...SIGNATURE,
    ...chunk("IHDR", [0, 0, 0, 2, 0, 0, rows.length >> 8, rows.length & 255, 8, 2, 0, 0, 0]),
    ...chunk("IDAT", deflateSync(Uint8Array.from(rows.flat()))),
    ...chunk("IEND", []),
  ]);
}

/** The data of a chunk, wherever it stands. */
function dataOf(png: Uint8Array, type: string): Uint8Array {
  const at = new TextDecoder("latin1").decode(png).indexOf(type);
  const length = new DataView(png.buffer, png.byteOffset).getUint32(at - 4);
  return png.subarray(at + 4, at + 4 + length);
}

Deno.test("smallerPng() undoes every filter and keeps colours that are few", () => {
  const png = smallerPng(filteredPng([
    [0, 10, 20, 30, 40, 50, 60],
    // From the left: 10 20 30, 40 50 60.
    [1, 10, 20, 30, 30, 30, 30],
    // From above: the same.
    [2, 0, 0, 0, 0, 0, 0],
    // From the mean of left and above: 5 10 15 and 25 35 45 are the guesses.
    [3, 5, 10, 15, 15, 15, 15],
    // From the neighbour nearest to left + above − corner: above in both.
    [4, 0, 0, 0, 0, 0, 0],
  ]));
  assert.deepEqual([...dataOf(png, "PLTE")], [10, 20, 30, 40, 50, 60]);
  const rows = inflateSync(dataOf(png, "IDAT"));
  assert.deepEqual([...rows], Array.from({ length: 5 }, () => [0, 0, 1]).flat());
});

Deno.test("smallerPng() keeps the 256 most frequent colours and takes the nearest for others", () => {
  const often = Array.from({ length: 256 }, (_, green) => [0, 0, green, 0, 0, green, 0]);
  const png = smallerPng(filteredPng([[0, 3, 7, 0, 0, 7, 0], ...often]));
  const palette = dataOf(png, "PLTE");
  assert.equal(palette.length, 3 * 256);
  const [, rare, same] = inflateSync(dataOf(png, "IDAT"));
  assert.deepEqual([...palette.subarray(3 * rare!, 3 * rare! + 3)], [0, 7, 0]);
  assert.equal(rare, same);
});

Deno.test("smallerPng() refuses what is no screenshot of Chromium's", () => {
  const withPalette = filteredPng([[0, 1, 2, 3, 4, 5, 6]]);
  withPalette[25] = 3;
  assert.throws(() => smallerPng(withPalette), /no PNG as Chromium writes it/);
});
