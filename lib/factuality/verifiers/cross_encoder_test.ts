import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage } from "../types.ts";
import {
  claimWindows,
  crossEncoderVerifier,
  networkReader,
  sourceSentences,
} from "./cross_encoder.ts";
import { lengthsOf, standInNetwork } from "./testdata/tiny_models.ts";

Deno.test("crossEncoderVerifier() divides logits by the temperature: e and 1 and 1", async () => {
  const { network, seen } = standInNetwork(() => [2, 0, 0]);
  const passages = [sourcePassage("Rain falls.")];
  const [verdict] = await crossEncoderVerifier(network).verify(["It rains."], passages);
  assert.ok(verdict?.kind === "scored");
  assert.equal(verdict.label, "supported");
  assert.ok(Math.abs(verdict.probabilities.supported - Math.E / (Math.E + 2)) < 1e-12);
  assert.deepEqual(seen, [[101, 4, 6, 102, 2, 6, 102]]);
  assert.equal(verdict.provenance.modelSha256, "ab");
  assert.deepEqual(verdict.evidence.map(({ text }) => text), ["Rain falls."]);
  const other = standInNetwork(() => [0], { labels: ["relevant"] }).network;
  assert.throws(() => crossEncoderVerifier(other), /labels relevant/);
});

Deno.test("crossEncoderVerifier() reads a source once for all claims that are asked about in parts", async () => {
  const { network } = standInNetwork(() => [2, 0, 0]);
  const read: string[] = [];
  const tokenise = (text: string) => (read.push(text), network.tokenise(text));
  const verifier = crossEncoderVerifier({ ...network, tokenise });
  const passages = [sourcePassage("Rain falls.")];
  for (const claim of ["It rains.", "It snows.", "It hails."]) {
    await verifier.verify([claim], passages);
  }
  const once = read.filter((text) => text === "Rain falls.").length;
  await verifier.verify(["It rains."], [...passages]);
  assert.equal(read.filter((text) => text === "Rain falls.").length, 2 * once);
});

/** A sentence of 40 words. */
const long = (word: string) =>
  `${word[0]!.toUpperCase()}${word.slice(1)} ${Array(39).fill(word).join(" ")}.`;
const sourceOf = (...words: readonly string[]) => sourcePassage(words.map(long).join(" "));

const windowsOf = (claim: string, source: string, longest: number, most?: number) => {
  const sentences = sourceSentences([sourcePassage(source)], lengthsOf);
  const frame = { first: 101, separator: 102, longest };
  return claimWindows(claim, sentences, lengthsOf, frame, most);
};

/** First tokens of windows that hold one long sentence each: the letters of its word. */
const firstsOf = (windows: ReturnType<typeof windowsOf>) => windows?.map(({ ids }) => ids[1]);

Deno.test("claimWindows() shows the sentences with the claim's rare words first, none of them twice", () => {
  const { text } = sourceOf("sea", "copper", "sea", "ice", "sea");
  const claim = "Copper by the sea.";
  // In one sentence of five: ln(1 + 6/2); in three: ln(1 + 6/4).
  const [copper, sea] = [Math.log(4), Math.log(2.5)];
  const windows = windowsOf(claim, text, 50)!;
  assert.deepEqual(firstsOf(windows), [6, 3, 3]);
  assert.deepEqual(windows.map(({ ids }) => ids.length), [47, 47, 47]);
  const told = windows.map(({ sentences: [only] }) => [only!.chunk.span.start, only!.share]);
  const starts = [text.indexOf("Copper"), 0, text.indexOf("Sea", 1)];
  assert.deepEqual(told.map(([start]) => start), starts);
  assert.ok(Math.abs(told[0]![1]! - copper / (copper + sea)) < 1e-12);
  assert.ok(Math.abs(told[1]![1]! - sea / (copper + sea)) < 1e-12);
  // What has none of the words is not worth reading, however many windows there may be.
  assert.deepEqual(firstsOf(windowsOf(claim, text, 50, 9)), [6, 3, 3, 3]);
  assert.deepEqual(firstsOf(windowsOf(claim, text, 50, 1)), [6]);
  // Two that fit stand in the source's order; the best is named first.
  const [both] = windowsOf(claim, text, 100)!;
  assert.deepEqual([both!.ids[1], both!.ids[41]], [3, 6]);
  assert.equal(both!.sentences[0]!.chunk.span.start, starts[0]);
});

Deno.test("claimWindows() leaves out what has less than two fifths of the best share", () => {
  // Each term stands in one of two sentences and weighs the same: shares 3/4 and 1/4.
  const source = `${long("zinc")} ${long("sea")}`.replaceAll("Zinc zinc zinc", "Zinc tin iron");
  assert.deepEqual(firstsOf(windowsOf("Zinc, tin, iron, sea.", source, 50)), [4]);
  // 2/3 and 1/3 are half.
  assert.deepEqual(firstsOf(windowsOf("Zinc, tin, sea.", source, 50)), [4, 3]);
});

Deno.test("networkReader() takes the window under which supported is likeliest, and names what stands there", async () => {
  const refuting = (ids: readonly number[]) => ids[1] === 6 ? [0, 3, 0] : [2, 0, 0];
  const { network, seen } = standInNetwork(refuting);
  const read = networkReader(network)([sourceOf("sea", "copper", "sea", "ice")]);
  const reading = await read("Copper by the sea.");
  assert.ok(reading !== undefined && "logits" in reading);
  assert.deepEqual(reading.logits, [2, 0, 0]);
  assert.deepEqual(reading.evidence.map(({ text }) => text), [long("sea")]);
  assert.equal(reading.evidence[0]!.span.start, 0);
  assert.deepEqual(seen.map((ids) => ids[1]), [6, 3, 3], "the sentence about ice is not read");
});

Deno.test("Requirement 12.2: a window never exceeds what the network reads, and holds the claim", () => {
  const words = fc.array(fc.constantFrom("a", "sea", "zinc", "rains.", "1914"), { maxLength: 60 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 8, max: 60 }), (claim, source, longest) => {
      const windows = windowsOf(claim.join(" "), source.join(" "), longest);
      if (windows === undefined) return claim.length > 0.75 * (longest - 3);
      const tokens = claim.map(({ length }) => length);
      for (const { ids } of windows) {
        assert.ok(ids.length <= longest);
        assert.deepEqual(ids.slice(ids.length - tokens.length - 2), [102, ...tokens, 102]);
      }
      const shown = windows.flatMap(({ sentences }) => sentences.map(({ chunk }) => chunk));
      assert.equal(new Set(shown).size, shown.length);
      return true;
    }),
  );
});
