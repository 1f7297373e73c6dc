import assert from "node:assert/strict";
import { join } from "node:path";
import { main } from "./notebooks.ts";
import { testProject } from "./notebook/testdata/project.ts";

const PERMISSIONS = ["read", "write", "ffi", "run", "net=127.0.0.1"].map((name) =>
  `--allow-${name}`
);

Deno.test("notebooks, told to terminate, leaves no kernel behind and the notebook whole", async () => {
  using project = testProject();
  // The cell's open port tells whether its kernel lives.
  const source = `const { addr } = Deno.listen({ hostname: "127.0.0.1", port: 0 });
Deno.writeTextFileSync("../port", String(addr.port));
console.log("begun");
await new Promise(() => setInterval(() => {}, 1000));`;
  project.add("long", [{ source }]);
  const before = project.read("notebooks/long.ipynb");
  const runner = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...PERMISSIONS,
      join(import.meta.dirname!, "notebooks.ts"),
      "--root",
      project.root,
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  while (!project.exists("port")) await new Promise((resolve) => setTimeout(resolve, 50));
  const port = Number(project.read("port"));
  (await Deno.connect({ hostname: "127.0.0.1", port })).close();
  runner.kill("SIGTERM");
  assert.equal((await runner.status).code, 143);
  await assert.rejects(
    Deno.connect({ hostname: "127.0.0.1", port }),
    Deno.errors.ConnectionRefused,
  );
  assert.equal(project.read("notebooks/long.ipynb"), before);
  assert.deepEqual([...Deno.readDirSync(join(project.root, ".cache", "notebooks"))], []);
});

Deno.test("main() refuses a name that selects nothing and a time-out that is no number", async () => {
  using project = testProject();
  await assert.rejects(main([], project.root), /notebooks\/ holds none/);
  project.add("11_norse_acquisition", []);
  const home = project.root;
  await assert.rejects(main(["sanskrit"], home), /Cannot select a notebook: "sanskrit"/);
  await assert.rejects(main(["--timeout", "soon"], home), /Cannot set the time-out: "soon"/);
});
