import assert from "node:assert/strict";
import { foreignLanguage } from "./language.ts";

Deno.test("foreignLanguage() names what is not English, and says nothing of what it cannot tell", async () => {
  const german = "Goethe wurde am 14. März 1749 in Frankfurt am Main geboren.";
  const told = [
    german,
    "Der Eiffelturm steht in Paris.",
    "北京是中国的首都。",
    "La capitale de la France est Paris, une grande ville sur la Seine.",
  ];
  const named = await Promise.all(told.map(foreignLanguage));
  assert.deepEqual(named, ["German", "German", "Chinese", "French"]);
  const silent = [
    "Kenya is a republic in eastern Africa, and its capital is Nairobi.",
    "Le Corbusier designed Villa Savoye in Poissy, France.",
    "Rio de Janeiro, São Paulo and Belo Horizonte are cities of Brazil.",
    "Elk swim. Elk fly.",
    "",
    "1,204 − 17 = ?",
  ];
  for (const text of silent) assert.equal(await foreignLanguage(text), undefined, text);
});
