import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage } from "../types.ts";
import {
  claimViews,
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

const viewsOf = (claim: string, source: string, longest: number) => {
  const sentences = sourceSentences([sourcePassage(source)], lengthsOf);
  return claimViews(claim, sentences, lengthsOf, { first: 101, separator: 102, longest });
};

/** First tokens of what is shown, when each sentence is long: the letters of its word. */
const firstsOf = (views: ReturnType<typeof viewsOf>) => views?.map(({ ids }) => ids[1]);

Deno.test("claimViews() show the three sentences with the claim's rare words, the two best together last", () => {
  const { text } = sourceOf("sea", "copper", "sea", "ice", "sea");
  // In one sentence of five: ln(1 + 6/2); in three: ln(1 + 6/4).
  const [copper, sea] = [Math.log(4), Math.log(2.5)];
  const views = viewsOf("Copper by the sea.", text, 100)!;
  assert.deepEqual(firstsOf(views), [6, 3, 3, 3]);
  assert.deepEqual(views.map(({ ids }) => ids.length), [47, 47, 47, 87]);
  const [one, other, third, both] = views.map(({ sentences }) => sentences);
  const starts = [text.indexOf("Copper"), 0, text.indexOf("Sea", 1)];
  const shown = [one, other, third].map((own) => own!.map(({ chunk }) => chunk.span.start));
  assert.deepEqual(shown, starts.map((start) => [start]));
  assert.ok(Math.abs(one![0]!.share - copper / (copper + sea)) < 1e-12);
  assert.ok(Math.abs(other![0]!.share - sea / (copper + sea)) < 1e-12);
  // Together in the source's order; the best is named first.
  assert.deepEqual([views[3]!.ids[1], views[3]!.ids[41]], [3, 6]);
  assert.deepEqual(both!.map(({ chunk }) => chunk.span.start), starts.slice(0, 2));
});

Deno.test("claimViews() fill up with sentences that have no word of the claim; one sentence is one view", () => {
  const { text } = sourceOf("ice", "copper", "tin", "iron");
  assert.deepEqual(firstsOf(viewsOf("Copper by the sea.", text, 100)), [6, 3, 3, 3]);
  assert.equal(viewsOf("Copper by the sea.", long("ice"), 100)!.length, 1);
  assert.deepEqual(viewsOf("Copper by the sea.", "", 100), []);
});

Deno.test("networkReader() tells what bears the claim out best, alone and at all, and what contradicts it most", async () => {
  const said = (ids: readonly number[]) =>
    ids.length > 47 ? [0, 1, 0] : ids[1] === 6 ? [0, 3, 0] : [2, 0, 0];
  const { network, seen } = standInNetwork(said);
  const read = networkReader(network)([sourceOf("sea", "copper", "sea", "ice")]);
  const reading = await read("Copper by the sea.");
  assert.ok(reading !== undefined && "alone" in reading);
  const { alone, together, supporting, contradicting } = reading;
  assert.deepEqual([alone, together, supporting].map(({ logits }) => logits), [
    [2, 0, 0],
    [0, 1, 0],
    [2, 0, 0],
  ]);
  assert.deepEqual(alone.evidence.map(({ text }) => text), [long("sea")]);
  assert.equal(alone.evidence[0]!.span.start, 0, "the first of equals");
  assert.deepEqual(contradicting.logits, [0, 3, 0]);
  assert.deepEqual(contradicting.evidence.map(({ text }) => text), [long("copper")]);
  assert.deepEqual(seen.map((ids) => ids[1]), [6, 3, 3, 3], "the sentence about ice is not read");
});

Deno.test("Requirement 12.2: what is shown never exceeds what the network reads, and holds the claim", () => {
  const words = fc.array(fc.constantFrom("a", "sea", "zinc", "rains.", "1914"), { maxLength: 60 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 8, max: 60 }), (claim, source, longest) => {
      const views = viewsOf(claim.join(" "), source.join(" "), longest);
      if (views === undefined) return claim.length > 0.75 * (longest - 3);
      const tokens = claim.map(({ length }) => length);
      for (const { ids } of views) {
        assert.ok(ids.length <= longest);
        assert.deepEqual(ids.slice(ids.length - tokens.length - 2), [102, ...tokens, 102]);
      }
      assert.equal(views.length === 0, source.length === 0);
      return true;
    }),
  );
});
