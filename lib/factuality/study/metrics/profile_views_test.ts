import assert from "node:assert/strict";
import { claimMatrix } from "../../metrics/claim_matrix.ts";
import { compareProfiles } from "../../profile/compare_profiles.ts";
import { hallucinationProfile } from "../../profile/hallucination_profile.ts";
import { profileInput, ratings } from "../../profile/testdata/input.ts";
import { RESPONDING_SYSTEMS } from "../../responses/systems.ts";
import {
  agreementCountsTable,
  claimClassesTable,
  differencesTable,
  disputedTable,
  gapsTable,
  matrixTable,
  metricsTable,
  reliabilityTable,
} from "./profile_views.ts";
import { systemProfiles } from "./system_profiles.ts";

const NOTHING = { responses: [], consensus: [], ratings: [], uncertainties: [], refusals: [] };
const PROFILE = hallucinationProfile(profileInput({
  ...NOTHING,
  responses: profileInput().responses.slice(0, 4),
  ratings: ratings("sn", "ss"),
}));

Deno.test("profile tables write figures with interval and n, and reasons where there is none", () => {
  assert.match(metricsTable([PROFILE], ["mahr"]), /\| 0\.50 \[0\.15, 0\.85\], n = 4 \|/);
  assert.match(metricsTable([PROFILE], ["uncertainty"]), /– no question was sampled several times/);
  assert.match(claimClassesTable([PROFILE]), /\| 4 \| +13 \| +1 \| +1 \| +1 \|/);
  assert.match(reliabilityTable([PROFILE]), /\| low \| yes \| Fleiss' κ is −0\.33, below 0\.4/);
  assert.match(disputedTable([PROFILE], 5), /q0 says 1\. \| rater 1: supported; rater 2: not/);
  assert.match(agreementCountsTable([PROFILE]), /\| 1 \| 1 \| 0 \|/);
  assert.match(gapsTable([PROFILE]), /Consensus F1 \| no query was answered by another model too/);
});

Deno.test("matrixTable() and differencesTable() have a row a statement and a row a pair", () => {
  const matrix = claimMatrix(PROFILE.responses.slice(0, 1), () => false);
  assert.match(matrixTable(matrix), /\| q0 says 1\. \| states \|/);
  const other = { ...PROFILE, model: "other" };
  assert.match(
    differencesTable(compareProfiles([PROFILE, other], 1)),
    /MiHR \| SmolLM2 135M \| other/,
  );
});

Deno.test("systemProfiles() gives every system a profile, and the open book no figure of the closed one", () => {
  const profiles = systemProfiles({
    ...{ responses: [], matrices: [], ratings: [], labels: [], choices: [] },
    ...{ abstentionAnswers: [], abstentionQueries: [] },
  }, { madeAt: "2026-11-22T15:00:00.000Z", settingsOf: () => ({}), seed: 1 });
  assert.deepEqual(
    profiles.map(({ model }) => model),
    RESPONDING_SYSTEMS.map(({ name }) => name),
  );
});
