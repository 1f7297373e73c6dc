import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { ggufEntries } from "../../models/panel.ts";
import { studyIn } from "../testdata/study.ts";
import { readPanel } from "./read_panel.ts";

const { panels, project } = studyIn("nowhere");

Deno.test("readPanel() reads the committed panel: two models with a package each", () => {
  assert.deepEqual(
    ggufEntries(readPanel(panels.local, project)).map(({ id, path }) => [id, path]),
    [
      ["SmolLM2-135M-Instruct", undefined],
      ["gemma-3-270m", undefined],
    ],
  );
});

Deno.test("readPanel() takes a relative path from the project's folder, not from the notebook's", () => {
  const file = Deno.makeTempFileSync({ suffix: ".yaml" });
  try {
    const entry = (path: string) =>
      `  - {id: m${path.length}, kind: gguf, path: ${path}, roles: [likelihood], licence: none}\n`;
    const absolute = join(project, ".cache", "mine.gguf");
    Deno.writeTextFileSync(
      file,
      `name: mine\nmodels:\n${entry("models/mine.gguf")}${entry(absolute)}`,
    );
    const paths = ggufEntries(readPanel(file, project)).map(({ path }) => path ?? "");
    assert.deepEqual(paths, [join(project, "models/mine.gguf"), absolute]);
    assert.ok(paths.every((path) => isAbsolute(path)));
  } finally {
    Deno.removeSync(file);
  }
});

Deno.test("readPanel() says what to write where there is no such panel", () => {
  assert.throws(
    () => readPanel("nosuch", project),
    /Cannot read panel nosuch: .*groq, local, or the path/,
  );
  assert.throws(() => readPanel("/tmp", project), /Cannot read panel .*: there is no such file/);
});
