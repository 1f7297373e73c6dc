import assert from "node:assert/strict";
import fc from "fast-check";
import { documentOf } from "../report/testdata/sample.ts";
import { compareProfiles, hallucinationProfile } from "./profile.ts";
import { profilePage } from "./profile_page.ts";
import { NO_MEASUREMENTS, profileInput, ratings } from "./testdata/made.ts";

const small = (model: string, text = "Oslo is a town.") =>
  hallucinationProfile(profileInput({
    ...NO_MEASUREMENTS,
    model,
    ratings: ratings("sn", "ss").map((rating) => ({ ...rating, cluster: "one", text })),
  }));

Deno.test("a system's name of 75 characters and more is shortened in the figures, and whole in the tables", () => {
  for (const length of [75, 400]) {
    const names = ["a", "b"].map((letter) => `${letter.repeat(length - 5)} v1.${letter}`);
    const profiles = names.map((name) => small(name));
    const page = profilePage(compareProfiles(profiles, 1));
    assert.ok(documentOf(page).querySelectorAll("img").length >= 2);
    for (const name of names) assert.ok(page.includes(name));
  }
});

Deno.test("whatever claims are, they are text: the page has its own elements only", () => {
  const part = fc.constantFrom(...`<img src=x onerror=y>~"~'~&amp;~</table>~Elk. ~\0`.split("~"));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      // More models than a figure holds: a picture a run would take its time.
      const profiles = "abcdefgh".split("").map((model) => small(model, parts.join("")));
      const document = documentOf(profilePage({ profiles, differences: [], seed: 1 }));
      assert.equal(document.querySelectorAll("img").length, 0);
      assert.equal(document.querySelectorAll("main").length, 1);
      assert.equal(document.querySelectorAll("table").length, 3 + 2 * 8);
    }),
    { numRuns: 100 },
  );
});
