import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const MOST_COLOURS = 256;

/** Rows of pixels, red, green and blue from the top left, a byte each. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/**
 * A screenshot with a palette of its 256 most frequent colours, which takes less than half of the
 * bytes. Areas keep their colours; what is rare, in the edges of letters, takes the nearest.
 *
 * Reads what Chromium writes: 8 bits a channel, without transparency, not interlaced. Throws Error
 * for any other PNG. Format: W3C, Portable Network Graphics (third edition).
 */
export function smallerPng(png: Uint8Array): Uint8Array {
  const { width, height, rgb } = decoded(png);
  const colours = Array.from(
    { length: width * height },
    (_, pixel) => rgb[3 * pixel]! << 16 | rgb[3 * pixel + 1]! << 8 | rgb[3 * pixel + 2]!,
  );
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byFrequency = [...counts].sort(([, one], [, other]) => other - one);
  const palette = byFrequency.slice(0, MOST_COLOURS).map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  return encoded(width, height, palette, Uint8Array.from(colours, (each) => places.get(each)!));
}

/** Where in the palette the colour stands that differs least. */
function nearest(colour: number, palette: readonly number[]): number {
  const distances = palette.map((each) =>
    channels(each).reduce((sum, value, index) => sum + (value - channels(colour)[index]!) ** 2, 0)
  );
  return distances.indexOf(Math.min(...distances));
}

function channels(colour: number): readonly number[] {
  return [colour >> 16, colour >> 8 & 255, colour & 255];
}

function decoded(png: Uint8Array): Picture {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if ([...png.subarray(24, 29)].join() !== "8,2,0,0,0") {
    throw new Error("Cannot make the picture smaller: it is no PNG as Chromium writes it.");
  }
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    if (type === "IDAT") data.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return { width, height, rgb: unfiltered(inflateSync(joined(data)), width * 3, height) };
}

/** Undoes the filter of each row: a byte is stored as its difference from a guess. */
function unfiltered(bytes: Uint8Array, rowLength: number, height: number): Uint8Array {
  const out = new Uint8Array(rowLength * height);
  for (let row = 0; row < height; row++) {
    const filter = bytes[row * (rowLength + 1)]!;
    for (let column = 0; column < rowLength; column++) {
      const at = row * rowLength + column;
      const left = column < 3 ? 0 : out[at - 3]!;
      const above = row === 0 ? 0 : out[at - rowLength]!;
      const corner = row === 0 || column < 3 ? 0 : out[at - rowLength - 3]!;
      out[at] = bytes[row * (rowLength + 1) + 1 + column]! + guess(filter, left, above, corner);
    }
  }
  return out;
}

function guess(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
  }
  return 0;
}

/** Of three neighbours the one nearest to left + above − corner; of equals the first. */
function paeth(left: number, above: number, corner: number): number {
  const target = left + above - corner;
  const [far, further, furthest] = [left, above, corner].map((each) => Math.abs(target - each));
  if (far! <= further! && far! <= furthest!) return left;
  return further! <= furthest! ? above : corner;
}

function encoded(
  width: number,
  height: number,
  palette: readonly number[],
  indices: Uint8Array,
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return joined([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([new TextEncoder().encode(type), data]);
  const [length, check] = [data.length, crc32(body)].map((value) => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value);
    return bytes;
  });
  return joined([length!, body, check!]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
