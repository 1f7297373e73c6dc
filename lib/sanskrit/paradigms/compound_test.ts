import assert from "node:assert/strict";
import { compoundMembers } from "./compound.ts";

/** Worked by hand: a stem with its joints, and as it is said. */
const STEMS: readonly (readonly [string, string])[] = [
  ["deva", "deva"],
  ["kula-dharma", "kula-dharma"],
  ["jñāna-agni", "jñān-āgni"],
  ["vidyā-artha", "vidy-ārtha"],
  ["parama-īśvara", "param-eśvara"],
  ["puruṣa-uttama", "puruṣ-ottama"],
  ["mahā-ṛṣi", "mah-arṣi"],
  ["eka-eka", "ek-aika"],
  ["ātma-aupamya", "ātm-aupamya"],
  ["muni-indra", "mun-īndra"],
  ["prati-ātman", "prat-yātman"],
  ["guru-ukti", "gur-ūkti"],
  ["guru-artha", "gur-vartha"],
  ["pitṛ-artha", "pit-rartha"],
  ["sad-artha", "sad-artha"],
  ["deva-asura-īśa", "dev-āsur-eśa"],
];

for (const [stem, members] of STEMS) {
  Deno.test(`compoundMembers() says ${stem} as ${members}`, () => {
    assert.equal(compoundMembers(stem).join("-"), members);
  });
}

Deno.test("compoundMembers() refuses empty members and vowels that it has no rule for", () => {
  assert.throws(() => compoundMembers("kula-"), /Cannot join "kula-": a member is empty/);
  assert.throws(() => compoundMembers("-dharma"), RangeError);
  assert.throws(() => compoundMembers("go-īśa"), /Cannot join "go-īśa": write it as it is said/);
  assert.throws(() => compoundMembers("deva-Īśa"), SyntaxError);
});
