import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { pairsHash, writeRunSettings } from "../../pairs/run_settings.ts";
import type { Phenomenon } from "../candidate.ts";
import { readNorseDataset } from "../dataset.ts";
import { replaceDataset } from "./replace.ts";
import type { ReplacePaths } from "./set_aside.ts";
import { readGenerationSettings, settingsOf } from "./settings.ts";

const items = readNorseDataset();
const FIRST = items.slice(0, 6);
const OTHERS = items.slice(0, 5);
const RULES = settingsOf("rules");
const BOTH = settingsOf("both");

/** The same pairs, the first under a model's name. */
const PROPOSED: readonly DatasetItem<Phenomenon>[] = FIRST.map((item, index) =>
  index > 0 ? item : {
    ...item,
    certificate: { ...item.certificate, proposedBy: "a/model", promptSha256: "5".repeat(64) },
  }
);

function withFolder(body: (paths: ReplacePaths) => void): void {
  const folder = Deno.makeTempDirSync({ prefix: "replace-" });
  const at = (name: string) => join(folder, name);
  try {
    body({
      pairs: at("pairs.csv"),
      certificates: at("certificates.csv"),
      rejections: at("rejections.csv"),
      responses: at("responses.csv"),
      invalidAnswers: at("invalid.csv"),
      responseSettings: at("response_settings.json"),
      likelihoods: at("likelihoods.csv"),
      likelihoodSettings: at("likelihood_settings.json"),
      metrics: at("metrics.csv"),
      statistics: at("statistics.csv"),
      artefacts: at("artefacts.csv"),
      balancedSubset: at("balanced.csv"),
      precision: at("precision.csv"),
      served: at("served.csv"),
      generation: at("generation.json"),
      setAside: at("set-aside"),
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const write = (
  paths: ReplacePaths,
  given: readonly DatasetItem<Phenomenon>[],
  settings = RULES,
) => replaceDataset({ items: given, rejections: [] }, settings, paths);

const modified = (path: string) => Deno.statSync(path).mtime!.getTime();

Deno.test("replaceDataset() writes a first data set and leaves the same one untouched", () => {
  withFolder((paths) => {
    assert.deepEqual(write(paths, FIRST), { kind: "written", restored: [], carried: [] });
    assert.deepEqual(readNorseDataset(paths), FIRST);
    assert.deepEqual(readGenerationSettings(paths.generation), RULES);
    Deno.utimeSync(paths.pairs, 1, 1);
    assert.deepEqual(write(paths, FIRST), { kind: "unchanged", restored: [], carried: [] });
    assert.equal(modified(paths.pairs), 1000);
  });
});

Deno.test("replaceDataset() moves another data set away with its answers, and brings them back", () => {
  withFolder((paths) => {
    write(paths, FIRST);
    Deno.writeTextFileSync(paths.metrics, "answers to the first");
    const away = write(paths, OTHERS, BOTH);
    assert.equal(away.kind, "new_pairs");
    assert.equal(existsSync(paths.metrics), false);
    assert.equal(
      Deno.readTextFileSync(join(away.setAside!, basename(paths.metrics))),
      "answers to the first",
    );
    assert.deepEqual(readNorseDataset(paths), OTHERS);
    assert.deepEqual(readGenerationSettings(paths.generation), BOTH);
    Deno.writeTextFileSync(paths.metrics, "answers to the others");
    const back = write(paths, FIRST);
    assert.deepEqual(back.restored, [basename(paths.metrics)]);
    assert.equal(Deno.readTextFileSync(paths.metrics), "answers to the first");
    const forth = write(paths, OTHERS, BOTH);
    assert.deepEqual(forth.restored, [basename(paths.metrics)]);
    assert.equal(Deno.readTextFileSync(paths.metrics), "answers to the others");
  });
});

Deno.test("replaceDataset() leaves the answers where only certificates change", () => {
  withFolder((paths) => {
    write(paths, FIRST);
    Deno.writeTextFileSync(paths.metrics, "answers");
    const { kind, setAside } = write(paths, PROPOSED, BOTH);
    assert.equal(kind, "new_certificates");
    assert.ok(existsSync(join(setAside!, basename(paths.certificates))));
    assert.equal(Deno.readTextFileSync(paths.metrics), "answers");
    assert.equal(readNorseDataset(paths)[0]?.certificate.proposedBy, "a/model");
  });
});

Deno.test("replaceDataset() overwrites nothing that was set aside before", () => {
  withFolder((paths) => {
    write(paths, FIRST);
    Deno.writeTextFileSync(paths.metrics, "one run's answers");
    const first = write(paths, OTHERS, BOTH).setAside!;
    write(paths, FIRST);
    Deno.copyFileSync(paths.metrics, join(first, basename(paths.metrics)));
    Deno.writeTextFileSync(paths.metrics, "another run's answers");
    const second = write(paths, OTHERS, BOTH).setAside!;
    assert.notEqual(first, second);
    const kept = [first, second].map((folder) =>
      Deno.readTextFileSync(join(folder, basename(paths.metrics)))
    );
    assert.deepEqual(kept, ["one run's answers", "another run's answers"]);
    write(paths, FIRST);
    assert.equal(Deno.readTextFileSync(paths.metrics), "another run's answers");
  });
});

Deno.test("replaceDataset() completes what a killed run began, and sets nothing aside", () => {
  withFolder((paths) => {
    write(paths, FIRST);
    const whole = Deno.readTextFileSync(paths.pairs);
    Deno.writeTextFileSync(paths.pairs, whole.slice(0, 0.7 * whole.length));
    assert.deepEqual(write(paths, FIRST), { kind: "written", restored: [], carried: [] });
    assert.equal(Deno.readTextFileSync(paths.pairs), whole);
  });
});

Deno.test("replaceDataset() completes cut pairs whose answers say that they belong to the whole", () => {
  withFolder((paths) => {
    write(paths, FIRST);
    const pairsSha256 = pairsHash(FIRST.map(({ pair }) => pair));
    writeRunSettings(paths.responseSettings, { m: { task: { pairsSha256 }, model: {} } });
    Deno.truncateSync(paths.pairs, 400);
    assert.equal(write(paths, FIRST).kind, "written");
    assert.ok(existsSync(paths.responseSettings));
  });
});

Deno.test("readGenerationSettings() refuses what is no such file, naming the remedy", () => {
  withFolder(({ generation }) => {
    assert.deepEqual(readGenerationSettings(generation), RULES, "rules where there is no file");
    for (
      const text of ["{", "{}", '{"source":"rules","seed":1,"proposer":"a/model","answers":0}']
    ) {
      Deno.writeTextFileSync(generation, text);
      assert.throws(() => readGenerationSettings(generation), /deno task generate/);
    }
  });
});
