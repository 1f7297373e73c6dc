import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/** Which rooms of lib/ each room may know; a study never knows another study. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  files: [],
  stats: [],
  figures: [],
  models: ["files", "stats"],
  pairs: ["files", "stats", "figures", "models"],
  translation: ["files", "stats", "figures", "models"],
  factuality: ["files", "stats", "figures", "models"],
  studies: ["files", "stats", "figures", "models", "pairs", "translation", "factuality"],
};

const LIB = join(import.meta.dirname!, "..", "lib");

const sources = (folder: string): readonly string[] =>
  globSync("**/*.{ts,tsx}", { cwd: folder }).map((path) => join(folder, path));

function relativeImports(path: string): readonly string[] {
  const text = Deno.readTextFileSync(path);
  return [...text.matchAll(/(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g)]
    .map(([, specifier]) => normalize(join(dirname(path), specifier!)));
}

const roomOf = (path: string) => relative(LIB, path).split("/")[0] ?? "";

Deno.test("lib: every room is named in the plan", () => {
  const rooms = [...Deno.readDirSync(LIB)].map(({ name }) => name).sort();
  assert.deepEqual(rooms, Object.keys(MAY_KNOW).sort());
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
  const loaded = new Set<string>();
  const load = (path: string) => {
    if (loaded.has(path) || !/\.tsx?$/.test(path)) return;
    loaded.add(path);
    relativeImports(path).forEach(load);
  };
  load(join(APP, "main.tsx"));
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

const ROOT = join(LIB, "..");
const FILES = ["lib", "app", "tasks"].flatMap((folder) => sources(join(ROOT, folder)))
  .filter((path) => !/_test\.tsx?$|\/testdata\//.test(path));

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
  assert.ok(arrows.has("lib/factuality/evaluate → lib/factuality/claims"));
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
