import type { RunPlace } from "./evaluate_once.ts";
import { TIMEOUT_SECONDS } from "./timing.ts";

const SCRIPT = new URL("./child.ts", import.meta.url).href;

/** Starts child.ts; it may reach the stand-in's host only, and write in its folder only. */
export function startChild(
  { folder, baseUrl, pairs }: RunPlace,
  timeoutSeconds = TIMEOUT_SECONDS,
): Deno.ChildProcess {
  const { hostname } = new URL(baseUrl);
  const permissions = [
    "--no-prompt",
    "--allow-read",
    "--allow-env",
    `--allow-net=${hostname}`,
    `--allow-write=${folder}`,
  ];
  const told = [folder, baseUrl, String(pairs), String(timeoutSeconds)];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, SCRIPT, ...told],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}
