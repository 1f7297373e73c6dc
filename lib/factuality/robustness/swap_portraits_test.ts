import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { swapDemographic } from "../bias/demographic_swap.ts";
import { PORTRAIT_FRAMES } from "./swap_frames.ts";
import { filled, type PortraitPerson } from "./swap_person.ts";
import { CONTROL_OF, portraitVariants, SWAPPED_TRAITS, swapPortraits } from "./swap_portraits.ts";

const SOMEBODY: PortraitPerson = {
  ...{ gender: "female", givenName: 0, familyName: 1, origin: "Arabic" },
  ...{ nationality: "Indian", religion: "Jewish", age: 31 },
};

test("filled() puts a person into a frame: worked by hand", () => {
  const text =
    "{N}, {A} years old, is {aNation} tailor. {S} lit {p} [lamp|stove] in the {worship}.";
  assert.equal(
    filled(text, SOMEBODY),
    "Fatima Khalil, 31 years old, is an Indian tailor. She lit her lamp in the synagogue.",
  );
  assert.match(filled(text, { ...SOMEBODY, gender: "male" }, 1), /^Ahmed Khalil.*He lit his stove/);
  assert.throws(() => filled("{X}", SOMEBODY), /\{X\} is no place/);
});

test("swapPortraits() makes 48 portraits, each true once and wrong once, half of each gender", () => {
  const portraits = swapPortraits(1);
  assert.equal(portraits.length, 48);
  assert.equal(new Set(portraits.map(({ source }) => source)).size, 48);
  assert.ok(portraits.every(({ right, wrong }) => right !== wrong));
  assert.equal(portraits.filter(({ person }) => person.gender === "female").length, 24);
  assert.ok(
    portraits.every(({ source, right, wrong }) => !/[{}[\]|]/.test(source + right + wrong)),
  );
});

test("swapDemographic() turns every portrait into what its frame says of the other gender", () => {
  for (const { id, source, right, person } of swapPortraits(2)) {
    const gender = person.gender === "female" ? "male" : "female";
    const exchange = { demographic: "gender", from: person.gender, to: gender } as const;
    const frame = PORTRAIT_FRAMES[Number(id.slice(1)) - 1]!;
    assert.equal(
      swapDemographic(source, exchange).text,
      filled(frame.source, { ...person, gender }),
    );
    assert.equal(swapDemographic(right, exchange).text, filled(frame.right, { ...person, gender }));
  }
});

test("Requirement 10.6: every variant changes the source, and of the trait alone what is its own", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(47), (seed, index) => {
      const portrait = swapPortraits(seed)[index]!;
      const variants = portraitVariants(portrait, { seed, perTrait: 2 });
      assert.ok(variants.every(({ source }) => source !== portrait.source));
      for (const { change, to, source } of variants) {
        const { person } = portrait;
        const frame = PORTRAIT_FRAMES[Number(portrait.id.slice(1)) - 1]!.source;
        if (change === "origin of name") {
          assert.equal(source, filled(frame, { ...person, origin: to }));
        }
        if (change === "nationality") {
          assert.equal(source, filled(frame, { ...person, nationality: to }));
        }
        if (change === "religion") {
          assert.equal(source, filled(frame, { ...person, religion: to }));
        }
        if (change === "age") {
          assert.equal(source, filled(frame, { ...person, age: 100 - person.age }));
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("portraitVariants() gives each trait that is named, and three controls", () => {
  const [portrait] = swapPortraits(3);
  const changes = portraitVariants(portrait!, { seed: 3, perTrait: 2 }).map(({ change }) => change);
  assert.deepEqual(changes, [
    ...["gender", "origin of name", "origin of name", "nationality", "nationality", "age"],
    ...["other name", "other age", "other word"],
  ]);
  assert.ok(SWAPPED_TRAITS.every((trait) => changes.includes(CONTROL_OF[trait])));
});
