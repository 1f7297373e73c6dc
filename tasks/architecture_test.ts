import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const SHARED = ["files", "stats", "figures", "models"];

/** Rooms of lib/ that each room may import: the instrument no study, a study no other. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  files: [],
  stats: [],
  figures: ["files", "stats"],
  models: ["files", "stats"],
  pairs: SHARED,
  translation: SHARED,
  factuality: SHARED,
  "studies/norse": [...SHARED, "pairs"],
  "studies/sanskrit": [...SHARED, "pairs"],
  "studies/translation": [...SHARED, "translation"],
  "studies/factuality": [...SHARED, "factuality"],
};

/** Most files that a reader of `factcheck` passes; fewer is better. */
const MOST_FILES = 125;

/** Files besides notebooks that may import a study, by the beginnings of their paths. */
const AUTHORS = ["studies/", "bench/", "site/", "generate", "reproduce", "open_studies"];

const ROOT = join(import.meta.dirname!, "..");
const LIB = join(ROOT, "lib");

const sources = (folder: string): readonly string[] =>
  globSync("**/*.{ts,tsx}", { cwd: folder }).map((path) => join(folder, path));

function relativeImports(path: string): readonly string[] {
  const text = Deno.readTextFileSync(path);
  return [...text.matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g)]
    .map(([, specifier]) => normalize(join(dirname(path), specifier!)));
}

/** The room of lib/ that a file is in; a study is a room of its own. */
function roomOf(path: string): string {
  const [first = "", second] = relative(LIB, path).split("/");
  return first === "studies" ? `${first}/${second}` : first;
}

/** Returns every file that a file loads, types and itself included, except through `ends`. */
function loadedBy(
  path: string,
  ends: readonly string[] = [],
  loaded: Set<string> = new Set(),
): ReadonlySet<string> {
  if (loaded.has(path) || !/\.tsx?$/.test(path)) return loaded;
  loaded.add(path);
  if (ends.includes(path)) return loaded;
  for (const imported of relativeImports(path)) loadedBy(imported, ends, loaded);
  return loaded;
}

Deno.test("lib: every room is named in the plan", () => {
  const foldersOf = (path: string) =>
    [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => isDirectory ? [name] : []);
  const studies = foldersOf(join(LIB, "studies")).map((name) => `studies/${name}`);
  const rooms = foldersOf(LIB).filter((name) => name !== "studies");
  assert.deepEqual([...rooms, ...studies].sort(), Object.keys(MAY_KNOW).sort());
});

Deno.test("lib: no room imports one that it may not know", () => {
  for (const path of sources(LIB)) {
    for (const imported of relativeImports(path)) {
      const [room, other] = [roomOf(path), roomOf(imported)];
      const allowed = room === other || MAY_KNOW[room]?.includes(other);
      assert.ok(allowed, `${relative(LIB, path)} imports ${relative(LIB, imported)}`);
    }
  }
});

Deno.test("app: the page loads nothing that a browser has not", () => {
  const APP = join(LIB, "..", "app");
  const loaded = loadedBy(join(APP, "main.tsx"));
  const inLib = [...loaded].map((path) => relative(LIB, path)).filter((path) => path[0] !== ".");
  assert.ok(inLib.includes("translation/session/session.ts"));
  const wrong = inLib.filter((path) =>
    !/^(stats\/|translation\/(workbook|rules|session)\/|translation\/\w+\.ts$)/.test(path)
  );
  assert.deepEqual(wrong, []);
  assert.ok(!inLib.includes("translation/tables.ts"));
});

Deno.test("lib: the stand-in server is for tests and tasks only", () => {
  const isStandIn = (path: string) =>
    relative(LIB, path).startsWith("models/hosted/testdata/stand_in");
  const importing = sources(LIB).filter((path) => relativeImports(path).some(isStandIn));
  const others = importing.filter((path) =>
    !isStandIn(path) && !/_test\.ts$|\/testdata\//.test(path)
  );
  assert.deepEqual(others.map((path) => relative(LIB, path)), []);
  assert.ok(importing.length > 0, "no test imports it: did it move?");
});

const FILES = ["lib", "app", "tasks"].flatMap((folder) => sources(join(ROOT, folder)))
  .filter((path) => !/_test\.tsx?$|\/testdata\//.test(path));

Deno.test("app, tasks: only commands of the authors import a study", () => {
  for (const folder of ["app", "tasks"]) {
    for (const path of sources(join(ROOT, folder))) {
      const name = relative(join(ROOT, folder), path);
      // A test may hold a command against a study's data.
      if (/_test\.tsx?$/.test(name) || AUTHORS.some((start) => name.startsWith(start))) continue;
      const studies = relativeImports(path).filter((to) => roomOf(to).startsWith("studies/"));
      assert.deepEqual(studies.map((to) => `${name} → ${relative(LIB, to)}`), []);
    }
  }
});

/**
 * Imports of this file are not followed further.
 *
 * It loads a study where a command line names one (`evaluate --study`), by a dynamic import; a run
 * on pairs of a file loads none.
 */
const OPENS_STUDIES = join(ROOT, "tasks", "open_studies.ts");

/** Subcommands of `factcheck`, each opened by its first word. */
const PARTS = ["pairwise", "bias", "uncertainty", "abstention", "robustness", "compare", "train"]
  .map((name) => join(ROOT, "tasks", "factcheck", `${name}.ts`));

Deno.test("factcheck, evaluate --pairs and rate load no study, and only factcheck train what trains", () => {
  const opening = Deno.readTextFileSync(OPENS_STUDIES);
  assert.doesNotMatch(opening, /from "[^"]*lib\/studies\//);
  const factcheck = join(ROOT, "tasks", "factcheck.ts");
  assert.deepEqual(PARTS.filter((part) => !relativeImports(factcheck).includes(part)), []);
  const others = ["evaluate", "rate"].map((name) => join(ROOT, "tasks", `${name}.ts`));
  for (const command of [factcheck, ...others, ...PARTS]) {
    const ends = [OPENS_STUDIES, ...command === factcheck ? PARTS : []];
    const loaded = [...loadedBy(command, ends)].map((path) => relative(ROOT, path));
    const trains = command.endsWith("train.ts")
      ? /^lib\/studies\//
      : /^lib\/studies\/|\/training\//;
    assert.deepEqual(loaded.filter((path) => trains.test(path)), [], command);
  }
  const files = loadedBy(factcheck, PARTS).size - PARTS.length;
  assert.ok(files <= MOST_FILES, `factcheck loads ${files} files`);
});

Deno.test("lib, app, tasks: no two folders side by side import each other", () => {
  const arrows = new Set(FILES.flatMap((path) => {
    const from = relative(ROOT, dirname(path));
    return relativeImports(path).map((to) => `${from} → ${relative(ROOT, dirname(to))}`);
  }));
  const within = (one: string, other: string) => `${other}/`.startsWith(`${one}/`);
  const mutual = [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(" → ") as [string, string];
    return !within(from, to) && !within(to, from) && arrows.has(`${to} → ${from}`);
  });
  assert.ok(arrows.has("lib/factuality/batch → lib/factuality/metrics"));
  assert.deepEqual(mutual, []);
});

Deno.test("lib, app, tasks: no file imports itself by way of others, be it for a type", () => {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    assert.ok(start < 0, [...trail.slice(start), path].map((at) => relative(ROOT, at)).join(" → "));
    if (done.has(path) || !/\.tsx?$/.test(path)) return;
    for (const imported of relativeImports(path)) visit(imported, [...trail, path]);
    done.add(path);
  };
  for (const path of FILES) visit(path, []);
});

/** Docstrings of lib and tasks that may begin with a question word; fewer is better. */
const MOST_QUESTIONS = 100;

/** Beginnings of docstrings that state neither a thing nor an act. */
const QUESTION_HEAD = /\/\*\*\s*(?:\*\s*)?(?:What|Whether|Where|How|Who|Which|Of|As|With)\b/g;

/** Phrases for "by default", "at random" and "n", which no reader can search for. */
const PRIVATE_PHRASES = /\b(?:unless told|by lot|so many)\b/gi;

/** Tests that quote the phrases. */
const QUOTING = ["tasks/architecture_test.ts", "tasks/studies/manifest_test.ts"];

Deno.test("lib, tasks: docstrings begin with a noun or a verb", () => {
  const questions = FILES.filter((path) => !relative(ROOT, path).startsWith("app")).flatMap((
    path,
  ) => [...Deno.readTextFileSync(path).matchAll(QUESTION_HEAD)].map(() => relative(ROOT, path)));
  const counts = Object.entries(Object.groupBy(questions, (path) => path))
    .map(([path, found]) => `${path}: ${found!.length}`);
  assert.ok(questions.length <= MOST_QUESTIONS, [questions.length, ...counts].join("\n"));
});

Deno.test("lib, tasks, docs: no phrase of a private language", () => {
  const texts = globSync("{lib,tasks,docs}/**/*.{ts,tsx,py,md}", { cwd: ROOT })
    .filter((path) => !QUOTING.includes(path) && !path.startsWith("docs/site"));
  const found = texts.flatMap((path) =>
    [...Deno.readTextFileSync(join(ROOT, path)).matchAll(PRIVATE_PHRASES)]
      .map(([phrase]) => `${path}: ${phrase}`)
  );
  assert.deepEqual(found, []);
});
