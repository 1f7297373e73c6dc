import assert from "node:assert/strict";
import { standaloneClaim } from "./standalone_claim.ts";

Deno.test("standaloneClaim() names the country for what stands for it", () => {
  const cases = [
    ["It is home to many birds.", "Kenya is home to many birds."],
    ["The country exports tea.", "Kenya exports tea."],
    ["The country's economy is mixed.", "Kenya's economy is mixed."],
    ["The island nation has a port.", "Kenya has a port."],
    ["The economy rests on tea.", "Kenya's economy rests on tea."],
    ["Its official language is Swahili.", "Kenya's official language is Swahili."],
  ];
  for (const [claim, named] of cases) assert.equal(standaloneClaim(claim!, "Kenya"), named);
});

Deno.test("standaloneClaim() leaves what has the name, or begins otherwise", () => {
  for (
    const claim of [
      "The economy of Kenya rests on tea.",
      "They export tea.",
      "The Indian Ocean lies to the east.",
      "Items are exported.",
    ]
  ) assert.equal(standaloneClaim(claim, "Kenya"), claim);
  const bracketed = standaloneClaim("It is remote.", "Falkland Islands (Islas Malvinas)");
  assert.equal(standaloneClaim("They are dry.", "Cook Islands"), "Cook Islands are dry.");
  assert.equal(bracketed, "Falkland Islands is remote.");
});
