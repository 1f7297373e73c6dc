import assert from "node:assert/strict";
import { dirname, join, normalize, relative } from "node:path";

/** Which rooms of lib/ each room may know; a study never knows another study. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  files: [],
  stats: [],
  figures: [],
  models: ["files", "stats"],
  pairs: ["files", "stats", "figures", "models"],
  norse: ["files", "stats", "figures", "models", "pairs"],
  sanskrit: ["files", "stats", "figures", "models", "pairs"],
  translation: ["files", "stats", "figures", "models"],
  factuality: ["files", "stats", "figures", "models"],
};

const LIB = join(import.meta.dirname!, "..", "lib");

function sources(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? sources(path) : name.endsWith(".ts") ? [path] : [];
  });
}

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

Deno.test("translation: simulation never imports report", () => {
  const report = join(LIB, "translation", "report");
  for (const path of sources(join(LIB, "translation", "simulation"))) {
    const imported = relativeImports(path).filter((other) => other.startsWith(report));
    assert.deepEqual(imported, [], relative(LIB, path));
  }
});

Deno.test("lib: the stand-in server is for tests and tasks only", () => {
  const isStandIn = (path: string) => relative(LIB, path).startsWith("models/hosted/stand_in");
  const importing = sources(LIB).filter((path) => relativeImports(path).some(isStandIn));
  const others = importing.filter((path) =>
    !isStandIn(path) && !/_test\.ts$|\/testdata\//.test(path)
  );
  assert.deepEqual(others.map((path) => relative(LIB, path)), []);
  assert.ok(
    importing.some((path) => path.endsWith("_test.ts")),
    "no test imports it: did it move?",
  );
});
