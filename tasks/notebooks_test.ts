import assert from "node:assert/strict";
import { join } from "node:path";
import { EXIT } from "./command.ts";
import { testProject } from "./notebook/testdata/project.ts";

const PERMISSIONS = ["read", "write", "ffi", "run", "net=127.0.0.1", "env"].map((name) =>
  `--allow-${name}`
);

Deno.test("notebooks, told to terminate, leaves no kernel behind and the notebook whole", async () => {
  using project = testProject();
  // The cell's open port tells whether its kernel lives.
  const source = `const { addr } = Deno.listen({ hostname: "127.0.0.1", port: 0 });
Deno.writeTextFileSync("../port.new", String(addr.port));
Deno.renameSync("../port.new", "../port");
console.log("begun");
await new Promise(() => setInterval(() => {}, 1000));`;
  project.add("long", [{ source }]);
  const before = project.read("notebooks/long.ipynb");
  const script = join(import.meta.dirname!, "notebooks.ts");
  const args = ["run", ...PERMISSIONS, script, "--root", project.root];
  const silent = { stdout: "null", stderr: "null" } as const;
  const runner = new Deno.Command(Deno.execPath(), { args, ...silent }).spawn();
  while (!project.exists("port")) await new Promise((resolve) => setTimeout(resolve, 50));
  const port = Number(project.read("port"));
  (await Deno.connect({ hostname: "127.0.0.1", port })).close();
  runner.kill("SIGTERM");
  assert.equal((await runner.status).code, EXIT.incomplete);
  const refused = Deno.connect({ hostname: "127.0.0.1", port });
  await assert.rejects(refused, Deno.errors.ConnectionRefused);
  assert.equal(project.read("notebooks/long.ipynb"), before);
  assert.deepEqual([...Deno.readDirSync(join(project.root, ".cache", "notebooks"))], []);
});
