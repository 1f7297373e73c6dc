import assert from "node:assert/strict";
import { openLineProcess } from "./line_process.ts";

const opened = (script: string) =>
  openLineProcess(Deno.execPath(), ["eval", script], { what: "an echo", stderr: "null" });

Deno.test("openLineProcess() hears a greeting, then an answer to every line", async () => {
  const script = `console.log("ready");
    for await (const piece of Deno.stdin.readable) await Deno.stdout.write(piece);`;
  await using echo = opened(script);
  assert.equal(await echo.hear(), "ready");
  assert.equal(await echo.ask("one"), "one");
  assert.equal(await echo.ask("zwölf"), "zwölf");
});

Deno.test("openLineProcess() says how to see why a process ended too early", async () => {
  await using gone = opened("Deno.exit(3)");
  await assert.rejects(gone.hear(), /Cannot compare with an echo: .* eval Deno\.exit\(3\)$/);
});
