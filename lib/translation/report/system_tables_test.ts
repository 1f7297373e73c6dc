import assert from "node:assert/strict";
import { unavailable } from "../../stats/unavailable.ts";
import { pairwiseTestsCsv, systemMeansCsv } from "./system_tables.ts";
import { TWO_SYSTEMS } from "./testdata/comparison.ts";

Deno.test("systemMeansCsv() leaves empty what there is not, and rounds to six places", () => {
  assert.deepEqual(systemMeansCsv(TWO_SYSTEMS).trimEnd().split("\n"), [
    "system,cluster,rank,rank_low,rank_high,items,ratings,mean_da,mean_da_low,mean_da_high," +
    "mean_z,mean_z_low,mean_z_high,share_best,share_poor",
    "alder,1,1,1,1,10,10,80,78,82,,,,0.7,0.3",
    "birch,2,2,2,2,10,10,60.123457,58.123457,62.123457,,,,0.7,0.3",
  ]);
});

Deno.test("pairwiseTestsCsv() says which pairs are told apart, and why one could not be tested", () => {
  const [pair] = TWO_SYSTEMS.pairs;
  const untested = { ...pair!, test: unavailable("no pairs"), adjustedP: unavailable("no pairs") };
  const csv = pairwiseTestsCsv({ ...TWO_SYSTEMS, pairs: [pair!, untested] });
  assert.deepEqual(csv.trimEnd().split("\n"), [
    "first,second,items,difference,low,high,p,method,adjusted_p,different",
    "alder,birch,10,19.876543,15,25,0.001953125,exact,0.001953125,True",
    "alder,birch,10,19.876543,15,25,,no pairs,,False",
  ]);
});

Deno.test("systemMeansCsv() cannot make a name a formula", () => {
  const [first] = TWO_SYSTEMS.systems;
  const csv = systemMeansCsv({ ...TWO_SYSTEMS, systems: [{ ...first!, system: "=1+1" }] });
  assert.match(csv, /\n'=1\+1,/);
});
