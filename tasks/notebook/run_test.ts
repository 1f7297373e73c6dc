import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { CellOutputs, type NotebookOutcome, type RunOptions } from "./run.ts";
import { type TestCell, testProject } from "./testdata/project.ts";

const stdout = (...text: string[]) => ({ name: "stdout", output_type: "stream", text });
const display = (data: unknown) => ({ data, metadata: {}, output_type: "display_data" });
const value = (n: number, data: unknown) => (
  { data, execution_count: n, metadata: {}, output_type: "execute_result" }
);
const show = (data: unknown) => `await Deno.jupyter.display(${JSON.stringify(data)}, {raw: true});`;

/** A cell and its expected outputs in the file; its execution count is `n`. */
type Kind = (n: number) => readonly [source: string, ...outputs: unknown[]];

const KINDS: readonly Kind[] = [
  (n) => [`console.log("line ${n}");`, stdout(`line ${n}\n`)],
  (n) => [`${n} * 2`, value(n, { "text/plain": [`${n * 2}`] })],
  (n) => [
    `${show({ "image/png": `iVBO${n}` })} ${show({ "text/html": `<b>${n}</b>` })}`,
    display({ "image/png": `iVBO${n}` }),
    display({ "text/html": [`<b>${n}</b>`] }),
  ],
  (n) => [
    `console.log("\\x1b[31mlog\\x1b[0m"); console.log(${n}); ({ ö: ${n} })`,
    stdout("log\n", `${n}\n`),
    value(n, { "text/plain": [`{ "ö": ${n} }`] }),
  ],
  (n) => [
    `const late${n} = await new Promise((done) => setTimeout(() => done(${n}), 10));
for (let i = 0; i < 50; i++) console.log(i);
late${n}`,
    stdout(...Array.from({ length: 50 }, (_, i) => `${i}\n`)),
    value(n, { "text/plain": [`${n}`] }),
  ],
  (n) => [
    `setTimeout(() => console.log("unawaited ${n}"), 5); undefined`,
    stdout(`unawaited ${n}\n`),
  ],
  (n) => [
    `console.log("a"); ${show({ "text/markdown": "*m*" })} console.error("e"); "v"`,
    stdout("a\n"),
    display({ "text/markdown": ["*m*"] }),
    { ...stdout("e\n"), name: "stderr" },
    value(n, { "text/plain": ['"v"'] }),
  ],
  () => [`const quiet = () => 1;`],
];

Deno.test("runNotebook() loses none of 64 cells' outputs and gives the same bytes every time", async () => {
  using project = testProject();
  const cells = Array.from({ length: 16 }, (_, i) => KINDS[i % KINDS.length]!(i + 1));
  const names = ["a", "b", "c", "d"];
  for (const name of names) project.add(name, cells.map(([source]) => ({ source })));
  const outcomes = await Promise.all(names.map((name) => project.run(name)));
  assert.deepEqual(outcomes, names.map(() => ({ kind: "passed", cells: 16, changed: true })));
  const texts = names.map((name) => project.read(`notebooks/${name}.ipynb`));
  const written = JSON.parse(texts[0]!).cells;
  for (const [index, [, ...outputs]] of cells.entries()) {
    assert.equal(written[index].execution_count, index + 1);
    assert.deepEqual(written[index].outputs, outputs, `cell ${index + 1}`);
  }
  for (const text of texts) assert.equal(text, texts[0]);
});

Deno.test("runNotebook() passes on what a cell says of its progress, and keeps it out of the file", async () => {
  using project = testProject();
  project.add("p", [{
    source: `Deno.writeTextFileSync(Deno.env.get("TOUCHSTONE_STATUS"), "likelihoods 3/500");
await new Promise((done) => setTimeout(done, 300)); "done"`,
  }]);
  const heard = new Set<string>();
  const onCell: RunOptions["onCell"] = ({ position, count, status }) => {
    assert.deepEqual([position, count], [1, 1]);
    for (let ms = 0; ms < 400; ms += 50) setTimeout(() => heard.add(status()), ms);
  };
  await project.run("p", { onCell });
  assert.ok(heard.has("likelihoods 3/500"), [...heard].join());
  const [cell] = JSON.parse(project.read("notebooks/p.ipynb")).cells;
  assert.deepEqual(cell.outputs, [value(1, { "text/plain": ['"done"'] })]);
});

Deno.test("runNotebook() writes exactly the bytes that nbformat writes", async () => {
  using project = testProject();
  const testdata = join(import.meta.dirname!, "testdata");
  Deno.copyFileSync(join(testdata, "sample.ipynb"), join(project.root, "notebooks", "s.ipynb"));
  assert.deepEqual(await project.run("s"), { kind: "passed", cells: 2, changed: true });
  // The golden file was read and written by nbformat 5.10, which left it as it is.
  const golden = Deno.readTextFileSync(join(testdata, "sample.golden.ipynb"));
  assert.equal(project.read("notebooks/s.ipynb"), golden);
  assert.equal(project.read("data/words.csv"), "word\nþorn\n");
});

async function failureOf(cells: readonly TestCell[], options = {}) {
  using project = testProject();
  project.add("bad", cells);
  const before = project.read("notebooks/bad.ipynb");
  const outcome = await project.run("bad", options);
  assert.equal(project.read("notebooks/bad.ipynb"), before, "the notebook is left as it was");
  assert.ok(outcome.kind === "failed" && outcome.copy !== undefined, JSON.stringify(outcome));
  const copy = JSON.parse(project.read(outcome.copy)).cells;
  return { reasons: outcome.reasons.join("\n"), copy };
}

Deno.test("runNotebook() stops at a thrown error and names cell, source and message", async () => {
  const { reasons, copy } = await failureOf([
    { source: "1" },
    { source: 'throw new RangeError("no such verb")' },
    { source: 'console.log("never")' },
  ]);
  assert.match(reasons, /^cell 2: RangeError: no such verb\n\s+\| throw new RangeError/);
  assert.equal(copy[1].outputs[0].ename, "RangeError");
  assert.deepEqual(copy[2].outputs, [], "stale outputs are gone and the cell was not run");
  const unparsed = await failureOf([{ source: "const x = ;" }]);
  assert.match(unparsed.reasons, /^cell 1: SyntaxError/);
  assert.equal(unparsed.copy[0].outputs[0].output_type, "error");
});

Deno.test("runNotebook() breaks off an endless loop and keeps what it showed; a promise, a dead kernel", async () => {
  const dead = await failureOf([{ source: 'console.log("last"); Deno.exit(3)' }]);
  assert.match(dead.reasons, /^cell 1: the kernel died: exit code 3/);
  const source = 'console.log("begun"); while (true) {}';
  const { reasons, copy } = await failureOf([{ source }], { timeout: 2000 });
  assert.match(reasons, /^cell 1: the cell ran longer than 2 s/);
  assert.deepEqual(copy[0].outputs, [stdout("begun\n")]);
  const endless = "await new Promise(() => setInterval(() => {}, 1000))";
  const given = await failureOf([{ source: endless }], { timeout: 500 });
  assert.match(given.reasons, /^cell 1: the cell ran longer than 0.5 s/);
});

async function reasonsFor(cells: readonly TestCell[], declaration: unknown): Promise<string> {
  using project = testProject();
  project.add("n", cells, declaration);
  const outcome: NotebookOutcome = await project.run("n");
  assert.equal(outcome.kind, "failed");
  return outcome.kind === "failed" ? outcome.reasons.join("; ") : "";
}

Deno.test("runNotebook() demands what is declared, and that something is shown", async () => {
  const source =
    `Deno.mkdirSync("../data"); Deno.writeTextFileSync("../data/empty.csv", ""); "done"`;
  const writes = ["data/empty.csv", "figures/none.png"];
  const artefacts = await reasonsFor([{ source }], { reads: [], writes });
  assert.match(artefacts, /data\/empty.csv is missing or empty; .*figures\/none.png is missing/);
  assert.equal(await reasonsFor([{ source: "undefined" }], {}), "no cell shows any output");
  const folder = await reasonsFor([{ source: "Deno.cwd()" }], {});
  assert.match(folder, /^cell 1 shows this machine's folder/);
  // Before anything is run.
  const unread = await reasonsFor([{ source: "1" }], { reads: ["data/x.csv"] });
  assert.equal(unread, "reads data/x.csv, which is missing: run the notebook that writes it");
});

/** Outputs of one cell that prints these texts in order. */
function printed(...texts: readonly string[]) {
  const shown = new CellOutputs();
  for (const text of texts) {
    shown.receive({ type: "stream", parent: "p", content: { name: "stdout", text } });
  }
  return shown.outputs;
}

Deno.test("CellOutputs joins a stream however it was cut", () => {
  fc.assert(fc.property(fc.array(fc.string(), { minLength: 1 }), (parts) => {
    assert.deepEqual(printed(...parts), printed(parts.join("")));
  }));
});

Deno.test("CellOutputs drops terminal codes and what a carriage return overwrote", () => {
  const text = "\x1b[1m\x1b[31mred\x1b[0m \x1b]8;;x\x07link\x1b]8;;\x07\n10 %\r30 %\ndone\r\n";
  const plain = "red link\n30 %\ndone\n";
  assert.deepEqual(printed(text), [{ output_type: "stream", name: "stdout", text: plain }]);
});
