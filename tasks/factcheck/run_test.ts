import assert from "node:assert/strict";
import { join } from "node:path";
import {
  components,
  judgement,
  toldJudge,
} from "../../lib/factuality/evaluation/testdata/stand_ins.ts";
import { readProfileJson } from "../../lib/factuality/profile/profile_json.ts";
import { readEvaluationJson } from "../../lib/factuality/report/json.ts";
import { checkBatch, checkOne, EXIT, requestOf, requestsOf } from "./run.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function world(given: Parameters<typeof components>[0] = {}) {
  const said: string[] = [];
  const print = (text: string) => void said.push(text);
  return { said, components: components(given), print, signal: new AbortController().signal };
}

Deno.test("factcheck: one text gives its reports as page, Markdown, JSON and tables", () =>
  inFolder(async (folder) => {
    const [candidate, source] = [join(folder, "c.txt"), join(folder, "s.txt")];
    Deno.writeTextFileSync(candidate, "Elk swim. Elk fly.");
    Deno.writeTextFileSync(source, "All elk swim.");
    const out = join(folder, "out");
    const here = world();
    const options = { kind: "one", config: "", out, candidate, source, question: "" } as const;
    assert.equal(await checkOne(options, requestOf(options), here), EXIT.complete);
    assert.match(
      here.said.join("\n"),
      /2 claims that can be checked: 1 supported, 0 refuted, 1 not/,
    );
    assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name).sort(), [
      "claims.csv",
      "evaluation.html",
      "evaluation.json",
      "evaluation.md",
      "judgements.csv",
    ]);
    const json = Deno.readTextFileSync(join(out, "evaluation.json"));
    assert.equal(readEvaluationJson(json, "x").mode, "source");
  }));

Deno.test("factcheck: what failed while a text was checked is told, and said to be no finding", () =>
  inFolder(async (folder) => {
    const candidate = join(folder, "c.txt");
    Deno.writeTextFileSync(candidate, "Elk swim.");
    const splitter = {
      name: "s",
      settings: {},
      split: () => Promise.reject(new Error("it hangs")),
    };
    const here = world({ splitter, problems: ["The judge x did not load."] });
    const asked = { config: "", out: folder, candidate, source: undefined, question: "" };
    const options = { kind: "one", ...asked } as const;
    assert.equal(await checkOne(options, requestOf(options), here), EXIT.complete);
    assert.match(here.said[0]!, /No claim that can be checked was found in the text\./);
    assert.equal(here.said[1], "The splitter s failed: it hangs");
    assert.ok(!here.said.includes("The judge x did not load."));
  }));

Deno.test("factcheck: what cannot be mended leaves a diagnosis beside the reports", () =>
  inFolder(async (folder) => {
    const candidate = join(folder, "c.txt");
    Deno.writeTextFileSync(candidate, "Elk swim.");
    const judge = { ...toldJudge("one", () => Promise.resolve(judgement(1))), weight: NaN };
    const asked = { config: "", out: folder, candidate, source: undefined, question: "" };
    const options = { kind: "one", ...asked } as const;
    await assert.rejects(
      checkOne(options, requestOf(options), world({ judges: [judge] })),
      /Cannot aggregate/,
    );
    const found = JSON.parse(Deno.readTextFileSync(join(folder, "diagnosis.json")));
    assert.deepEqual([found.stage, found.request], ["judging", "c.txt"]);
  }));

Deno.test("factcheck: a batch tells refused lines, and is complete only when each request has a result", () =>
  inFolder(async (folder) => {
    const batch = join(folder, "b.csv");
    Deno.writeTextFileSync(batch, "id,candidate,source\na,Elk swim.,Elk swim.\nb,,x\n");
    const here = world();
    const found = requestsOf(batch, here.print);
    assert.match(here.said[0]!, /b\.csv, line 3 is passed over: candidate/);
    const options = { kind: "batch", config: "", out: folder, batch, concurrency: 1 } as const;
    assert.equal(await checkBatch(options, found, here), EXIT.complete);
    const profiles = readProfileJson(Deno.readTextFileSync(join(folder, "profile.json")), "x");
    assert.deepEqual(profiles.map(({ model, counts }) => [model, counts.supported]), [
      ["candidates of b.csv", 1],
    ]);
    assert.match(Deno.readTextFileSync(join(folder, "profile.html")), /candidates of b\.csv/);
    const judge = { ...toldJudge("one", () => Promise.resolve(judgement(1))), weight: NaN };
    const out = join(folder, "other");
    const failing = world({ judges: [judge] });
    assert.equal(await checkBatch({ ...options, out }, found, failing), EXIT.incomplete);
    assert.match(failing.said.join("\n"), /1 have no result yet: .*\nWhy some failed: .*failures/);
    Deno.writeTextFileSync(batch, "id\na\n");
    assert.throws(() => requestsOf(batch, here.print), /b\.csv: .*its columns are id\. One must/);
    Deno.writeTextFileSync(batch, "candidate\n");
    assert.throws(() => requestsOf(batch, here.print), /has no request/);
    assert.throws(() => requestsOf("none.csv", here.print), /none\.csv: there is no such file/);
  }));
