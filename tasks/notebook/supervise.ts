/**
 * Runs a kernel that ends with the process that started this one.
 *
 * That process holds the other end of the standard input, which is closed by its own death, even by
 * SIGKILL. Deno's kernel itself has no option to watch it. The exit code is the kernel's; for one
 * that a signal ended it is 128 and the signal's number, as shells have it.
 *
 *     deno run … supervise.ts CONNECTION_FILE STATUS_FILE
 */
import { rmSync } from "node:fs";
import { constants } from "node:os";

const [connection = "", status = ""] = Deno.args;
const kernel = new Deno.Command(Deno.execPath(), {
  args: ["jupyter", "--kernel", "--conn", connection],
  stdin: "null",
  stdout: "null",
}).spawn();

// A terminal sends these to all: who started this process decides, and closes the input.
for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) {
  if (Deno.build.os === "windows" && signal !== "SIGINT") continue;
  Deno.addSignalListener(signal, () => {});
}

const ended = kernel.status.then(({ code, signal }) => {
  // The connection file holds the key.
  for (const path of [connection, status]) rmSync(path, { force: true });
  Deno.exit(signal === null ? code : 128 + constants.signals[signal as NodeJS.Signals]);
});

const input = Deno.stdin.readable.getReader();
// Nothing is ever written: the first read ends with the input.
await input.read().catch(() => undefined);
try {
  kernel.kill("SIGKILL");
} catch (error) {
  if (!(error instanceof TypeError)) throw error; // TypeError: it has ended already
}
await ended;
