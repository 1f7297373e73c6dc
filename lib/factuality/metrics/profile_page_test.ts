import assert from "node:assert/strict";
import fc from "fast-check";
import { documentOf, texts } from "../report/testdata/sample.ts";
import { compareProfiles, hallucinationProfile } from "./profile.ts";
import { profilePage } from "./profile_page.ts";
import { NOTHING, profileInput, ratings } from "./testdata/made.ts";

const small = (model: string, text = "Oslo is a town.") =>
  hallucinationProfile(profileInput({
    ...NOTHING,
    model,
    ratings: ratings("sn", "ss").map((rating) => ({ ...rating, cluster: "one", text })),
  }));

const two = documentOf(profilePage(compareProfiles([small("a"), small("b")], 1)));

Deno.test("the page has a table of all metrics, the disputed claims with their votes, and the gaps", () => {
  const page = texts(two, "main").join();
  assert.match(page, /FActScore/);
  assert.match(page, /Raters differ on 1 of 2 claims/);
  assert.match(page, /supported: rater 1not supported: rater 2/);
  assert.match(page, /a: Uncertainty, Epistemic part, Aleatoric part: no question was sampled/);
  assert.match(page, /MiHR above 0\.3 or Fleiss' κ below 0\.4 or Uncertainty above 0\.8/);
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
