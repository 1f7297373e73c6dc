import assert from "node:assert/strict";
import { readTextIfThere } from "../../files/read_text.ts";
import type { RatingWorkbook } from "../item.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import { type PreparedRun, prepareRun } from "../preparation/prepare_run.ts";
import { systemOutputs } from "../preparation/system_outputs.ts";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import { compareSystems } from "./compare_systems.ts";
import { raterReliability } from "./reliability.ts";
import { unblind } from "./unblind.ts";

/** Absent outside the maintainers' machines: the file is no part of the project. */
const file = readTextIfThere(TRANSLATION_PATHS.wmt23);
const RUN_ID = "0a5b9c52-7c86-4c7f-9a06-1c1d8d8a6a10";
const OPTIONS = { seed: 1, resamples: 100, permutations: 100 };

/** A line of the file: one segment by one system, with its first ESA score. */
interface ScoredOutput {
  readonly segment: string;
  readonly document: string;
  readonly system: string;
  readonly source: string;
  readonly translation: string;
  readonly esa: number;
  readonly line: number;
}

function scoredOutputs(text: string): readonly ScoredOutput[] {
  const [heading, ...lines] = text.trimEnd().split("\n").map((line) => line.split("\t"));
  const at = (name: string) => heading!.indexOf(name);
  return lines.map((cells, index) => ({
    segment: cells[at("seg")]!,
    document: cells[at("doc")]!,
    system: cells[at("system")]!,
    source: cells[at("source")]!,
    translation: cells[at("translation")]!,
    esa: Number(cells[at("esa1")]),
    line: index + 2,
  }));
}

/** Each item rated with its scores, buckets cut at 25, 50 and 75 so that they never contradict them. */
function rated({ workbook, key }: PreparedRun, scored: readonly ScoredOutput[]): RatingWorkbook {
  const scores = new Map(scored.map((it) => [`${it.segment} ${it.system}`, it.esa]));
  const items = workbook.items.map((item, index) => {
    const { segment, systems } = key.items[index]!;
    const ratings = systems.map((system) => {
      const da = scores.get(`${segment} ${system}`)!;
      return { da, bucket: da >= 75 ? "best" : da >= 50 ? "good" : da >= 25 ? "ok" : "poor" };
    });
    const minute = (seconds: number) => new Date(index * 60_000 + seconds * 1000).toISOString();
    const stamps = { startedAt: minute(0), committedAt: minute(45), activeSeconds: 45 };
    return { ...item, evaluation: { ...item.evaluation, ...stamps, ratings } };
  });
  return { ...workbook, items };
}

/** The way of a real run: prepared, rated, written to a workbook, read from it and unblinded. */
async function throughWorkbook(scored: readonly ScoredOutput[]) {
  const config = DEFAULT_RUN_CONFIG;
  const prepared = prepareRun(systemOutputs(scored, "wmt23_ende_scores.tsv"), {
    ...{ seed: 1, runId: RUN_ID, secret: "5a".repeat(16), config },
  });
  const bytes = await writeWorkbook(rated(prepared, scored), config);
  const read = await readWorkbook(bytes, { config, runId: RUN_ID });
  assert.ok(read.kind === "workbook", "refused");
  return unblind({ rater: "ESA", workbook: read.workbook, key: prepared.key, config });
}

function fileMeans(scored: readonly ScoredOutput[]): ReadonlyMap<string, number> {
  const groups = [...Map.groupBy(scored, ({ system }) => system)];
  return new Map(groups.map(([system, own]) => [
    system,
    own.reduce((sum, { esa }) => sum + esa, 0) / own.length,
  ]));
}

// Left out in turn: the human reference, and the weakest system.
for (const leftOut of ["refA", "AIRC"]) {
  Deno.test({
    name:
      `unblind() and compareSystems() give back WMT23's own ESA means to 1e-9 and their ranking, ` +
      `without ${leftOut}`,
    ignore: file === undefined,
    fn: async () => {
      const scored = scoredOutputs(file!).filter(({ system }) => system !== leftOut);
      const run = await throughWorkbook(scored);
      assert.equal(run.ratings.length, 110 * 12);
      const { systems } = compareSystems([run], OPTIONS);
      const means = fileMeans(scored);
      for (const { system, meanDa, items } of systems) {
        assert.ok(meanDa.kind === "interval");
        assert.ok(Math.abs(meanDa.estimate - means.get(system)!) <= 1e-9, system);
        assert.equal(items, 110);
      }
      const ranking = [...means].sort(([, a], [, b]) => b - a).map(([system]) => system);
      assert.deepEqual(systems.map(({ system }) => system), ranking);
      assert.deepEqual(systems.map(({ rank }) => rank.rank), ranking.map((_, place) => place + 1));
    },
  });
}

Deno.test({
  name: "raterReliability() gives the heaping of WMT23's ESA scores as counted in the file",
  ignore: file === undefined,
  fn: async () => {
    const scored = scoredOutputs(file!).filter(({ system }) => system !== "refA");
    const { heaping, items } = raterReliability(await throughWorkbook(scored), OPTIONS);
    const counted = scored.filter(({ esa }) => esa % 5 === 0).length / scored.length;
    const [multiplesOf5] = heaping;
    assert.ok(multiplesOf5!.share.kind === "interval");
    assert.ok(Math.abs(multiplesOf5!.share.estimate - counted) < 1e-12);
    assert.equal(items, 110);
  },
});
