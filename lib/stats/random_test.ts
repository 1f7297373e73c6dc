import assert from "node:assert/strict";
import { fnv1a64, randomSource, splitmix64, xoshiro128StarStar } from "./random.ts";

Deno.test("xoshiro128StarStar() gives the reference implementation's words", () => {
  // Blackman & Vigna's xoshiro128starstar.c 1.1 from state 1, 2, 3, 4, compiled and run; the same list
  // is in the tests of Rust's rand_xoshiro.
  const word = xoshiro128StarStar([1, 2, 3, 4]);
  const reference = "11520 0 5927040 70819200 2031721883 1637235492 1287239034 3734860849 " +
    "3729100597 4258142804";
  assert.equal(Array.from({ length: 10 }, word).join(" "), reference);
});

Deno.test("splitmix64() gives the reference words for seed 1234567", () => {
  // Vigna's splitmix64.c; the list is published at Rosetta Code, "Pseudo-random numbers/Splitmix64".
  const word = splitmix64(1234567n);
  const reference = "6457827717110365317 3203168211198807973 9817491932198370423 " +
    "4593380528125082431 16408922859458223821";
  assert.equal(Array.from({ length: 5 }, word).join(" "), reference);
});

Deno.test("fnv1a64() gives the published test vectors", () => {
  // Fowler, Noll & Vo: test vectors of the FNV-1a 64-bit hash.
  assert.equal(fnv1a64(""), 0xcbf29ce484222325n);
  assert.equal(fnv1a64("a"), 0xaf63dc4c8601ec8cn);
  assert.equal(fnv1a64("foobar"), 0x85944171f73967e8n);
});

Deno.test("randomSource() repeats itself and differs between seeds", () => {
  const draw = (seed: number | string) => Array.from({ length: 8 }, randomSource(seed).next);
  assert.deepEqual(draw(7), draw(7));
  assert.deepEqual(draw("Vǫlsunga"), draw("Vǫlsunga"));
  assert.notDeepEqual(draw(7), draw(8));
  assert.notDeepEqual(draw("Vǫlsunga"), draw("Volsunga"));
  // All committed samples hang on these: two splitmix64 words, low half first.
  assert.equal(randomSource(1234567).next(), 0.4581609298502769);
  assert.equal(randomSource("Vǫlsunga").next(), 0.2898658254092563);
  assert.throws(() => randomSource(0.5), RangeError);
  for (const n of [0, 1.5]) assert.throws(() => randomSource(1).integer(n), RangeError);
  const random = randomSource(1);
  const drawn = Array.from({ length: 100 }, () => random.integer(3));
  assert.deepEqual([...new Set(drawn)].sort(), [0, 1, 2]);
  const items = [1, 2, 3, 4];
  assert.deepEqual([...random.shuffle(items)].sort(), items);
  assert.equal(new Set(random.sample(items, 3)).size, 3);
  assert.throws(() => random.sample(items, 5), RangeError);
});
