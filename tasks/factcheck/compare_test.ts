import assert from "node:assert/strict";
import { join } from "node:path";
import { type LabelledCase, labelledFile } from "../../lib/factuality/labelled_case.ts";
import { type ComparedComponent, ENSEMBLE } from "../../lib/factuality/own/ask_components.ts";
import { COMPONENT_ANSWERS } from "../../lib/factuality/own/component_answers.ts";
import { HUMAN_LABELLED } from "../../lib/factuality/own/human_labelled.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { EXIT, exitCodeOf } from "../command.ts";
import { type CasesRun, compareFile, TASK } from "./compare.ts";

/** Takes for supported what has "coast" in its source. */
function standIn(name: string): ComparedComponent & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name,
    settings: {},
    asked,
    answer({ id, passages }: LabelledCase) {
      asked.push(id);
      const [source] = passages;
      const supported = source && (source.text.includes("coast") ? 0.9 : 0.2);
      const unscored = source ? undefined : "no evidence" as const;
      return Promise.resolve({ supported, unscored, reason: "so it is", milliseconds: 1 });
    },
  };
}

// a, b right; c missed; d taken for supported; e right; f has no source, and no score.
const CSV = "id,claim,source,label\n" +
  "a,A has a coast.,A's coast is long.,supported\nb,B has a coast.,B's coast.,yes\n" +
  'c,C has a coast.,"C is by\nthe sea.",true\nd,D has a coast.,No coast.,refuted\n' +
  "e,E has a coast.,E is landlocked.,no\nf,F has a coast.,,not enough info\n,,,yes\n";

/** A file of cases in its own folder, two components, and the printed lines. */
const withCases = (
  work: (world: ReturnType<typeof worldIn>) => Promise<void>,
) =>
() => inFolder((folder) => work(worldIn(folder)));

function worldIn(folder: string) {
  const [quick, model, printed] = [standIn("quick"), standIn("model"), [] as string[]];
  const none = () => Promise.resolve();
  const groups = [quick, model].map((component) => ({
    names: [component.name],
    open: () => Promise.resolve({ components: [component], [Symbol.asyncDispose]: none }),
  }));
  const path = join(folder, "mine.csv");
  Deno.writeTextFileSync(path, CSV);
  const usual: CasesRun = {
    draw: 4,
    folder,
    groups,
    only: "",
    threads: 1,
    isQuick: (name) => name === "quick",
    isSlow: () => false,
    signal: new AbortController().signal,
    tell: () => {},
    print: (text) => printed.push(text),
  };
  const run = async (more: Partial<CasesRun> = {}, file = path) =>
    await compareFile(labelledFile(file), { format: "file", path: file }, { ...usual, ...more });
  return { run, quick, model, printed, folder };
}

Deno.test(
  "compareFile() asks quick components about all, the others about a balanced draw: worked by hand",
  withCases(async ({ run, quick, model, printed, folder }) => {
    assert.equal(await run(), true);
    assert.deepEqual(quick.asked, ["a", "b", "c", "d", "e", "f"]);
    assert.equal(model.asked.length, 4);
    assert.equal(model.asked.filter((id) => "abc".includes(id)).length, 2);
    const rows = HUMAN_LABELLED.at(join(folder, "file-mine.csv")).read();
    assert.deepEqual(
      rows.map(({ set, cases, component }) => [set, cases, component]),
      [["mine", "all", "quick"], ["mine", "draw", "quick"], ["mine", "draw", "model"]],
    );
    const { n, unscored, accuracy, precision, recall, f1 } = rows[0]!;
    assert.deepEqual([n, unscored], [5, 1]);
    assert.deepEqual([accuracy, precision, recall, f1], [0.6, 0.6667, 0.6667, 0.6667]);
    assert.match(printed[0]!, /mine\.csv, line 9 is skipped: .*claim: is missing/);
    assert.equal(printed[1], "6 claims, 1 without a source, 3 supported.");
    assert.match(printed.at(-1)!, /\| quick \| all \| 5 \| 1 \| 0\.60 \[/);
  }),
);

Deno.test(
  "compareFile() calls the set as the file, where a column calls it now so and now so",
  withCases(async ({ folder, run }) => {
    Deno.writeTextFileSync(
      join(folder, "mine.csv"),
      "claim,evidence,source,label\nA has a coast.,A's coast.,wiki,yes\nB has one.,No coast.,news,no\n",
    );
    await run({ only: "quick" });
    const rows = HUMAN_LABELLED.at(join(folder, "file-mine.csv")).read();
    assert.deepEqual(new Set(rows.map(({ set }) => set)), new Set(["mine"]));
  }),
);

Deno.test(
  "compareFile() asks nothing again, and asks a case anew whose source has changed",
  withCases(async ({ run, quick, folder }) => {
    const out = join(folder, "new", "file-mine.csv");
    const again = { only: "quick", folder: join(folder, "new") };
    await run(again);
    assert.equal(HUMAN_LABELLED.at(out).read().length, 2);
    quick.asked.length = 0;
    Deno.writeTextFileSync(join(folder, "mine.csv"), CSV.replace("No coast.", "None."));
    await run(again);
    assert.deepEqual(quick.asked, ["d"]);
    assert.equal(HUMAN_LABELLED.at(out).read()[0]!.accuracy, 0.8);
  }),
);

Deno.test(
  "compareFile() says what it cannot do",
  withCases(async ({ run, folder, printed }) => {
    assert.equal(await run({ signal: AbortSignal.abort() }), false);
    assert.match(printed.at(-1)!, /Wrote/, "the figures of what is there");
    const path = join(folder, "mine.csv");
    await assert.rejects(run({ only: "GPT" }), /no component has "GPT".*quick, model/);
    await assert.rejects(run({}, `${path}x`), /Cannot read the cases: .*mine\.csvx/);
    Deno.writeTextFileSync(path, "claim,label\n");
    await assert.rejects(run(), /mine\.csv has no labelled claim/);
  }),
);

Deno.test("factcheck compare --config names components as the configuration does, and asks a server again that was down; no ensemble rests on a judge of unknown worth", () =>
  inFolder(async (folder) => {
    let isDown = false;
    await using server = startStandInServer({
      // While it is opened it answers still.
      plan: ({ prompt }) =>
        isDown && prompt.includes("has a coast")
          ? { kind: "status", status: 400, message: "down" }
          : { kind: "answer", text: "True" },
    });
    const entry = `licence: MIT, baseUrl: "${server.openAiBaseUrl}"`;
    const [config, cases, out] = ["own.yaml", "mine.csv", "out"].map((n) => join(folder, n));
    Deno.writeTextFileSync(cases!, CSV);
    const write = (judge: string) =>
      Deno.writeTextFileSync(
        config!,
        `name: own\nverifier: { kind: prompted-server, id: served, ${entry} }\njudges:\n` +
          `  - { kind: openai-compatible, id: served, readout: next-token, ${entry}, ${judge} }\n`,
      );
    write("weight: 1");
    const words = ["--config", config!, "--cases", cases!, "--out", out!, "--only", "served"];
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    const figures = HUMAN_LABELLED.at(join(out!, "file-mine.csv")).read();
    const said = figures.map(({ component, n, unscored }) => `${component}: ${n}, ${unscored}`);
    // All that it was asked is true to it, but for what has no source.
    assert.deepEqual(said, ["served: 5, 1", "served (next word): 6, 0"]);
    // Another model is asked anew, and what does not come is not kept.
    write("weight: 1, model: other");
    const kept = () => COMPONENT_ANSWERS.at(join(out!, "answers", "file-mine.csv")).read();
    const before = kept();
    isDown = true;
    assert.equal(await exitCodeOf(TASK, words), EXIT.incomplete);
    assert.deepEqual(kept(), before);
    isDown = false;
    const asked = server.calls.length;
    assert.equal(await exitCodeOf(TASK, words), EXIT.done);
    const claims = server.calls.slice(asked).filter(({ prompt }) => prompt.includes("has a coast"));
    assert.equal(claims.length, 6);
    // An ensemble rests on a judge that somebody gave a weight, and on none of unknown worth.
    const together = async () => {
      assert.equal(await exitCodeOf(TASK, [...words.slice(0, -1), "ensemble"]), EXIT.done);
      return new Set(
        kept().filter(({ component }) => component === ENSEMBLE).map(({ status }) => status),
      );
    };
    assert.deepEqual(await together(), new Set(["scored"]));
    write("timeoutSeconds: 9");
    assert.deepEqual(await together(), new Set(["not measured"]));
  }));
