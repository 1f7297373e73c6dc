import assert from "node:assert/strict";
import { FEATURE_NAMES, type FeatureName } from "./features.ts";
import { featuresOf } from "./testdata/feature_tools.ts";

const near = (value: number, expected: number, name: string) =>
  assert.ok(Math.abs(value - expected) < 1e-6, `${name}: ${value}, not ${expected}`);

const SAME = "Copper can displace silver.";

Deno.test("features: a claim that is the source has everything, and nothing against it", async () => {
  const { value, findings } = await featuresOf(SAME, SAME);
  for (const name of FEATURE_NAMES) {
    const against = /under|loose|contradict|absent|differs|antonym|swapped|speaker/.test(name);
    near(value(name), against ? 0 : 1, name);
  }
  assert.deepEqual(findings, []);
});

Deno.test("features: of a claim that the source knows nothing of, nothing is there", async () => {
  const { value, words } = await featuresOf(
    "Jena has a university.",
    "Copper can displace silver.",
  );
  for (const name of ["overlap.top", "overlap.all"] as const) {
    near(value(name), 0, name);
  }
  near(value("name.absent"), 1, "name.absent");
  assert.ok(words.includes("the sources do not name Jena"), words.join());
});

interface Case {
  readonly feature: FeatureName;
  readonly claim: string;
  readonly source: string;
  /** Part of a finding. */
  readonly says: string;
}

const CONTRADICTED: readonly Case[] = [
  {
    feature: "quantity.contradicted",
    claim: "The population of Poland is 32.9 million.",
    source: "The population of Poland is 39.2 million. Warsaw has 1.8 million.",
    says: "source says 39.2 million, claim says 32.9 million",
  },
  {
    feature: "quantity.date_contradicted",
    claim: "The university was founded in 1669.",
    source: "The university was founded on 2 May 1632.",
    says: "source says 2 May 1632, claim says 1669",
  },
  {
    feature: "negation.differs",
    claim: "Copper can displace zinc.",
    source: "Copper cannot displace zinc.",
    says: "source denies “displace”, claim does not",
  },
  {
    feature: "antonym.opposite",
    claim: "The lake is very shallow.",
    source: "The lake is very deep.",
    says: "source says “deep”, claim says “shallow”",
  },
  {
    feature: "antonym.degree",
    claim: "Parma lies in the southern region.",
    source: "Parma lies in the northern region.",
    says: "source says “northern”, claim says “southern”",
  },
  {
    feature: "antonym.sibling",
    claim: "The factory burns hydrogen.",
    source: "The factory burns oxygen.",
    says: "source says “oxygen”, claim says “hydrogen”",
  },
  {
    feature: "name.swapped",
    claim: "The treaty was signed in Germany.",
    source: "The treaty was signed in France.",
    says: "source says France, claim says Germany",
  },
  {
    feature: "role.swapped",
    claim: "France invaded Germany.",
    source: "Germany invaded France.",
    says: "claim and source name the same in another order",
  },
  {
    feature: "role.swapped",
    claim: "France was invaded by Germany.",
    source: "France invaded Germany.",
    says: "claim and source name the same in another order",
  },
];

for (const { feature, claim, source, says } of CONTRADICTED) {
  Deno.test(`${feature}: "${claim}" against "${source}"`, async () => {
    const { value, findings } = await featuresOf(claim, source);
    assert.ok(value(feature) > 0.3, String(value(feature)));
    const finding = findings.find((one) => one.feature === feature);
    assert.ok(finding?.words.includes(says), finding?.words);
    assert.equal(finding?.speaksFor, "refuted");
  });
}

const AT_PEACE: readonly (readonly [FeatureName, string, string])[] = [
  ["quantity.contradicted", "The wall is 5 km long.", "The wall is 3.1 miles long."],
  ["quantity.contradicted", "The lake is 5 km long.", "The lake is 5 km long and 3 km wide."],
  ["quantity.date_contradicted", "It was built in 1632.", "It was built on 2 May 1632."],
  ["negation.differs", "Copper cannot displace zinc.", "Copper does not displace zinc."],
  ["antonym.opposite", "The lake is not deep.", "The lake is shallow."],
  ["antonym.opposite", "The lake is deep.", "The lake is deep and the river shallow."],
  [
    "name.swapped",
    "The treaty was signed in France.",
    "The French signed the treaty with Germany.",
  ],
  ["role.swapped", "France invaded Germany.", "Germany was invaded by France."],
];

for (const [feature, claim, source] of AT_PEACE) {
  Deno.test(`${feature}: nothing in "${claim}" against "${source}"`, async () => {
    const { value, words } = await featuresOf(claim, source);
    assert.ok(value(feature) < 0.3, `${value(feature)}: ${words}`);
  });
}

Deno.test("overlap: shares are by weight, and a synonym is worth less than the word", async () => {
  const { value } = await featuresOf("Oxygen begins.", "Oxygen starts.");
  assert.ok(value("overlap.top") > 0.9 && value("overlap.top") < 1);
});

Deno.test("overlap.complete: e to the minus half of the weights that are missing", async () => {
  // Of three names (1.5 each) the source has two, of four again two.
  const source = "Oslo and Rome.";
  const one = await featuresOf("Oslo and Rome and Bonn.", source);
  near(one.value("overlap.complete"), Math.exp(-0.75), "one missing");
  const two = await featuresOf("Oslo and Rome and Bonn and Kyiv.", source);
  near(two.value("overlap.complete"), Math.exp(-1.5), "two missing");
});

Deno.test("overlap.top: of a question with its answer, the answer counts", async () => {
  const { value } = await featuresOf("Who founded Bonn: Karl.", "Otto founded Bonn.");
  near(value("overlap.top"), 0, "overlap.top");
  assert.ok(value("overlap.all") > 0.5, "the whole claim is told apart");
});
