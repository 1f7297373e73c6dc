import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage } from "../types.ts";
import {
  claimWindows,
  crossEncoderVerifier,
  networkReader,
  sourceSentences,
} from "./cross_encoder.ts";
import { lengthsOf, scriptedNetwork } from "./testdata/tiny_models.ts";

Deno.test("crossEncoderVerifier() divides logits by the temperature: e and 1 and 1", async () => {
  const { network, seen } = scriptedNetwork(() => [2, 0, 0]);
  const passages = [sourcePassage("Rain falls.")];
  const [verdict] = await crossEncoderVerifier(network).verify(["It rains."], passages);
  assert.ok(verdict?.kind === "scored");
  assert.equal(verdict.label, "supported");
  assert.ok(Math.abs(verdict.probabilities.supported - Math.E / (Math.E + 2)) < 1e-12);
  assert.deepEqual(seen, [[101, 4, 6, 102, 2, 6, 102]]);
  assert.equal(verdict.provenance.modelSha256, "ab");
  assert.deepEqual(verdict.evidence.map(({ text }) => text), ["Rain falls."]);
  const other = scriptedNetwork(() => [0], { labels: ["relevant"] }).network;
  assert.throws(() => crossEncoderVerifier(other), /labels relevant/);
});

Deno.test("crossEncoderVerifier() reads a source once for all claims that are asked about in parts", async () => {
  const { network } = scriptedNetwork(() => [2, 0, 0]);
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

const windowsOf = (claim: string, source: string, longest: number, most = 3) => {
  const sentences = sourceSentences([sourcePassage(source)], lengthsOf);
  return claimWindows(claim, sentences, lengthsOf, { first: 101, separator: 102, longest }, most);
};

/** First token of each window. When sentences are long, it is their word's letter count. */
const firstsOf = (windows: ReturnType<typeof windowsOf>) => windows?.map(({ ids }) => ids[1]);

Deno.test("claimWindows() begin with the sentences that have the claim's rare words, in the source's order", () => {
  const { text } = sourceOf("sea", "copper", "sea", "ice", "sea");
  // In one sentence of five: ln(1 + 6/2); in three: ln(1 + 6/4).
  const [copper, sea] = [Math.log(4), Math.log(2.5)];
  const windows = windowsOf("Copper by the sea.", text, 100)!;
  // Two sentences of 40 and the claim's four words each; the one about ice is in none.
  assert.deepEqual(firstsOf(windows), [3, 3]);
  assert.deepEqual(windows.map(({ ids }) => ids.length), [87, 87]);
  assert.deepEqual([windows[0]!.ids[1], windows[0]!.ids[41]], [3, 6]);
  const [best, next] = windows.map(({ sentences }) => sentences);
  // The best is named first.
  const starts = [text.indexOf("Copper"), 0, text.indexOf("Sea", 1)];
  assert.deepEqual(best!.map(({ chunk }) => chunk.span.start), starts.slice(0, 2));
  assert.equal(next![0]!.chunk.span.start, starts[2]);
  assert.ok(Math.abs(best![0]!.share - copper / (copper + sea)) < 1e-12);
  assert.ok(Math.abs(best![1]!.share - sea / (copper + sea)) < 1e-12);
  assert.equal(windowsOf("Copper by the sea.", text, 100, 1)!.length, 1);
});

Deno.test("claimWindows() leave out what is unlike the claim, but for a source that fits in whole", () => {
  const { text } = sourceOf("ice", "copper");
  assert.deepEqual(firstsOf(windowsOf("Copper by the sea.", text, 60)), [6]);
  assert.deepEqual(windowsOf("Copper by the sea.", text, 100)!.map(({ ids }) => ids.length), [87]);
  assert.deepEqual(firstsOf(windowsOf("By the sea.", text, 60)), [3, 6], "nothing is like it");
  assert.deepEqual(windowsOf("Copper by the sea.", "", 100), []);
});

Deno.test("claimWindows() are of 96 tokens, and grow for a long claim", () => {
  const { text } = sourceOf("tin", "tin", "tin");
  const sizeOf = (words: number, longest = 160) =>
    windowsOf(Array(words).fill("tin").join(" "), text, longest)?.[0]?.ids.length;
  // A sentence of 40; two where they have room; half a one more never: it is whole or not there.
  assert.deepEqual([10, 13, 14, 60].map((words) => sizeOf(words)), [93, 96, 57, 103]);
  assert.deepEqual([sizeOf(60, 100), sizeOf(118)], [100, undefined]);
});

Deno.test("networkReader() reads one window, the nearest to the claim", async () => {
  const { network, seen } = scriptedNetwork(() => [0, 3, 0]);
  const read = networkReader(network)([sourceOf("sea", "copper", "sea", "ice")]);
  const reading = await read("Copper by the sea.");
  assert.ok(reading !== undefined && "logits" in reading);
  assert.deepEqual(reading.logits, [0, 3, 0]);
  assert.equal(reading.evidence[0]!.text, long("copper"));
  assert.equal(seen.length, 1);
});

Deno.test("networkReader() reads the two nearest sentences, and near ones alone, each once", async () => {
  const { network, seen } = scriptedNetwork((ids) => [ids.length, 0, 0]);
  const passages = [sourceOf("sea", "copper", "sea", "ice")];
  const reading = await networkReader({ ...network, longest: 160 }, 3)(passages)(
    "Copper by the sea.",
  );
  assert.ok(reading !== undefined && "alone" in reading);
  // The claim and its frame are seven tokens: the window holds two sentences, which are the two nearest.
  assert.deepEqual([reading.logits[0], reading.two[0]], [87, 87]);
  assert.deepEqual(reading.alone.map(([tokens]) => tokens), [47, 47, 47]);
  assert.deepEqual(reading.alone.length, 3);
  assert.equal(reading.length, 160);
  // Two of the three say the same.
  assert.equal(seen.length, 3);
  const [one] = await Promise.all([
    networkReader(network)([sourcePassage("Rain falls.")])("It rains."),
  ]);
  assert.ok(one !== undefined && "alone" in one && one.alone.length === 0);
});

Deno.test("Requirement 12.2: what is shown never exceeds what the network reads, and holds the claim", () => {
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
      assert.equal(windows.length === 0, source.length === 0);
      return true;
    }),
  );
});
