import assert from "node:assert/strict";
import { countryFields, FACTBOOK, passagesOfFields } from "./factbook.ts";

const FRANCE = {
  Government: { "Country name": { "conventional short form": { text: "France" } } },
  Geography: { "Climate": { text: "temperate<br><br>mild" } },
  "People and Society": {
    Population: { "total ": { text: "68,512,806" }, male: { text: "33,627,639" } },
    Water: {
      "improved: urban": { text: "urban: 100%" },
      note: "<strong>note:</strong>&nbsp;2022",
      empty: { text: " " },
    },
  },
  Environment: { Climate: { text: "see Geography" } },
};

const fieldsOf = (file: unknown) =>
  countryFields({ code: "fr", region: "europe", json: JSON.stringify(file) });

Deno.test("countryFields() gives each statement its place, without mark-up and empty texts", () => {
  const fields = fieldsOf(FRANCE);
  const place = { country: "France", code: "fr", region: "europe", section: "People and Society" };
  const given = { field: "Population", subfield: "total", text: "68,512,806" };
  assert.deepEqual(fields[2], { ...place, ...given });
  const texts = "temperate; mild|68,512,806|33,627,639|urban: 100%|note: 2022|see Geography";
  assert.deepEqual(fields.map(({ text }) => text).slice(1), texts.split("|"));
});

Deno.test("passagesOfFields() joins subfields, and keeps ids apart where two sections share a field", () => {
  const passages = passagesOfFields(fieldsOf(FRANCE));
  assert.deepEqual(passages.map(({ id, text }) => [id, text]).slice(1), [
    ["fr/Climate", "Climate. temperate; mild"],
    ["fr/Population", "Population. total: 68,512,806; male: 33,627,639"],
    ["fr/Water", "Water. improved: urban: 100%; note: 2022"],
    ["fr/Environment/Climate", "Climate. see Geography"],
  ]);
  const { collection, title, section } = passages[2]!;
  assert.deepEqual([collection, title, section], [FACTBOOK, "France", "Population"]);
});
