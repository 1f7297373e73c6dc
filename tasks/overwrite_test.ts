import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256OfFile } from "../lib/files/atomic.ts";
import { inFolder } from "../lib/files/testdata/folder.ts";
import { IN_PROJECT } from "../lib/pairs/study.ts";
import { TRANSLATION_PATHS as DEMO } from "../lib/translation/tables.ts";
import { EXIT, exitCodeOf, type Runnable } from "./command.ts";
import { TASK as EVALUATE } from "./evaluate.ts";
import { FACTCHECK } from "./factcheck.ts";
import { ANALYSE } from "./rate/analyse.ts";
import { BUILD } from "./rate/page.ts";

/** Runs a command in this process: its exit code and all that it says. */
async function ran(command: Runnable, args: readonly string[]) {
  const said: string[] = [];
  const before = { log: console.log, error: console.error };
  console.log = console.error = (text: string) => void said.push(text);
  try {
    return { code: await exitCodeOf(command, args), said: said.join("\n") };
  } finally {
    Object.assign(console, before);
  }
}

const RATED = Deno.readFileSync(join(DEMO.data, "simulated_strict.xlsx"));
const BATCH = "candidate,source\nElk swim.,All elk swim.\n";
const DATA = join(IN_PROJECT.project, "data/factuality");

interface Case {
  readonly command: Runnable;
  /** A user's file in the folder, which stays as it is. */
  readonly file: string;
  readonly content: string | Uint8Array;
  readonly args: (at: (name: string) => string) => readonly string[];
  readonly says: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  "rate build over a rated workbook": {
    command: BUILD,
    file: "rated.xlsx",
    content: RATED,
    args: (at) => ["--out", at("rated.xlsx")],
    says:
      /^Cannot write .*rated\.xlsx: Touchstone did not make it\. Name another place, or add --force/,
  },
  "rate build over the workbook that it brings along": {
    command: BUILD,
    file: "rated.xlsx",
    content: RATED,
    args: (at) => [
      ...["--config", DEMO.demoRun, "--workbook", at("rated.xlsx"), "--force"],
      ...["--out", at("rated.xlsx")],
    ],
    says: /^Cannot write .*rated\.xlsx: this command reads it\. Name another place\./,
  },
  "rate build into the project's data, through a link": {
    command: BUILD,
    file: "x.html",
    content: "mine",
    args: (at) => {
      Deno.symlinkSync(DATA, at("link"));
      return ["--out", at("link/evaluation.yaml"), "--force"];
    },
    says: /^Cannot write .*link\/evaluation\.yaml: it belongs to the project\./,
  },
  "factcheck --batch over its own batch": {
    command: FACTCHECK,
    file: "claims.csv",
    content: BATCH,
    args: (at) => ["--batch", at("claims.csv"), "--out", at(".")],
    says: /^Cannot write .*claims\.csv: this command reads it\./,
  },
  "factcheck over reports of somebody else": {
    command: FACTCHECK,
    file: "evaluation.html",
    content: "mine",
    args: (at) => {
      Deno.writeTextFileSync(at("c.txt"), "Elk swim.");
      return ["--candidate", at("c.txt"), "--out", at(".")];
    },
    says: /^Cannot write .*evaluation\.html: Touchstone did not make it\./,
  },
  "factcheck into the project's data": {
    command: FACTCHECK,
    file: "c.txt",
    content: "Elk swim.",
    args: (at) => ["--candidate", at("c.txt"), "--out", DATA],
    says: /^Cannot write .*data\/factuality: it belongs to the project\./,
  },
  "rate analyse over the file that was rated": {
    command: ANALYSE,
    file: "system_ratings.xlsx",
    content: RATED,
    args: (at) => [
      ...[at("system_ratings.xlsx"), "--config", DEMO.demoRun, "--key", DEMO.demoKey],
      ...["--out", at("."), "--force"],
    ],
    says: /^Cannot write .*system_ratings\.xlsx: this command reads it\./m,
  },
  "evaluate --pairs over a table of somebody else": {
    command: EVALUATE,
    file: "pairs.csv",
    content: "id,phenomenon,lemma,grammatical,ungrammatical\n1,a,b,Elk swim.,Elk swims.\n",
    args: (at) => {
      Deno.writeTextFileSync(at("x.csv"), "grammatical,ungrammatical\nElk swim.,Elk swam swim.\n");
      return ["--pairs", at("x.csv"), "--out", at(".")];
    },
    says: /^Cannot write .*pairs\.csv: Touchstone did not make it\./,
  },
};

for (const [name, { command, file, content, args, says }] of Object.entries(CASES)) {
  Deno.test(`${name}: the file stays`, () =>
    inFolder(async (folder) => {
      const at = (name: string) => join(folder, name);
      Deno.writeFileSync(
        at(file),
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
      const before = sha256OfFile(at(file));
      const { code, said } = await ran(command, args(at));
      assert.deepEqual([code, sha256OfFile(at(file))], [EXIT.failed, before], said);
      assert.match(said, says);
    }));
}

Deno.test("rate build and analyse write over what they made, not over what was changed since", () =>
  inFolder(async (folder) => {
    const page = join(folder, "page.html");
    const build = (...more: readonly string[]) => ran(BUILD, ["--out", page, ...more]);
    assert.equal((await build()).code, EXIT.done);
    assert.equal((await build()).code, EXIT.done);
    Deno.writeTextFileSync(page, "mine");
    const { code, said } = await build();
    assert.equal(code, EXIT.failed);
    assert.match(said, /page\.html: it was changed since Touchstone made it\..*--force/);
    assert.equal((await build("--force")).code, EXIT.done);
    assert.equal((await build()).code, EXIT.done);
    const rated = join(DEMO.data, "simulated_strict.xlsx");
    const analyse = [rated, "--config", DEMO.demoRun, "--key", DEMO.demoKey];
    for (const _ of [1, 2]) {
      assert.equal((await ran(ANALYSE, [...analyse, "--out", join(folder, "d")])).code, EXIT.done);
    }
  }));

Deno.test("evaluate --estimate writes nothing, not even the folder", () =>
  inFolder(async (folder) => {
    const [pairs, out] = [join(folder, "x.csv"), join(folder, "out")];
    Deno.writeTextFileSync(pairs, "grammatical,ungrammatical\nElk swim.,Elk swims.\n");
    const { code, said } = await ran(EVALUATE, ["--pairs", pairs, "--out", out, "--estimate"]);
    assert.equal(code, EXIT.done, said);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["x.csv"]);
  }));
