import assert from "node:assert/strict";
import { resolveAnaphors } from "./anaphors.ts";
import { ruleSplitter } from "./rule_splitter.ts";

async function claimsOf(text: string) {
  const { claims } = await ruleSplitter().split(text);
  return resolveAnaphors(claims).map(({ text, notes }) =>
    notes.some(({ kind }) => kind === "pronoun unresolved") ? `? ${text}` : text
  );
}

Deno.test("resolveAnaphors() names the text's subject for the country, the company, the city", async () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    "Tonga is old. The country has 36 islands. English is widely spoken in the country.": [
      ...["Tonga is old.", "Tonga has 36 islands.", "English is widely spoken in Tonga."],
    ],
    // Of its own, in the middle of a subject, with an article, in its fullest form.
    "Tonga's king is rich. The country's capital is Nuku'alofa.": [
      ...["Tonga's king is rich.", "Tonga's capital is Nuku'alofa."],
    ],
    "The Gambia is surrounded by Senegal. The capital of the country is Banjul.": [
      ...["The Gambia is surrounded by Senegal.", "The capital of the Gambia is Banjul."],
    ],
    "The University of Oslo was founded in 1811. The university has eight faculties.": [
      ...["The University of Oslo was founded in 1811."],
      ...["The University of Oslo has eight faculties."],
    ],
    "Peru is a sovereign state. Peru lies in South America. The country exports copper.": [
      ...["Peru is a sovereign state.", "Peru lies in South America.", "Peru exports copper."],
    ],
    // Two things of different kinds; a verb that could be a noun.
    "Norway is a country in Europe. Oslo is a city. The country borders Sweden. The city is old.": [
      ...["Norway is a country in Europe.", "Oslo is a city."],
      ...["Norway borders Sweden.", "Oslo is old."],
    ],
    "Microsoft was founded by Bill Gates in 1975. The company is based in Redmond.": [
      ...["Microsoft was founded by Bill Gates in 1975.", "Microsoft is based in Redmond."],
    ],
  };
  for (const [text, claims] of Object.entries(texts)) {
    assert.deepEqual(await claimsOf(text), claims);
  }
  const { claims } = await ruleSplitter().split("Tonga is old. The country has 36 islands.");
  const [, { notes, spans }] = resolveAnaphors(claims) as [unknown, typeof claims[number]];
  assert.deepEqual(notes, [{ kind: "pronoun resolved", pronoun: "the country", to: "Tonga" }]);
  assert.deepEqual(spans, claims[1]!.spans);
});

Deno.test("resolveAnaphors() marks what nobody can tell, and leaves alone what names its own", async () => {
  const open = [
    // Two of a kind, none before it, one that lies in another, one that is of another kind.
    "Apple is a company. Google is a company. The company was founded in 1976.",
    "The country exports tea. Kenya lies in Africa.",
    "Oslo is in Norway. The country borders Sweden.",
    "Oslo is a city. The country borders Sweden.",
    "Norway met Italy. Rome voted. The country exports elk.",
    // A person is no country.
    "Ada Lovelace was a poet. The country was proud.",
  ];
  for (const text of open) {
    const marked = (await claimsOf(text)).filter((claim) => claim.startsWith("?"));
    assert.equal(marked.length, 1, text);
  }
  const closed = [
    "Tonga is old. The country of Senegal is larger.",
    "Tonga is old. The city council meets on Monday.",
    "Tonga is old. Oslo is the capital of the country that borders Sweden.",
    "Tonga is old. Tonga is the country with most kings.",
    "Apple grew. Google grew. Redmond is older than the company.",
  ];
  for (const text of closed) {
    const { claims } = await ruleSplitter().split(text);
    assert.deepEqual(resolveAnaphors(claims), claims, text);
  }
});
