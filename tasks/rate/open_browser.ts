import { type RunProcess, runProcess } from "../../lib/files/process.ts";

/** The command that opens an address, by operating system. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start"],
};

/** Opens an address in the user's browser; whether that could be done. Never fails. */
export async function openBrowser(
  address: string,
  run: RunProcess = runProcess,
  system: string = Deno.build.os,
): Promise<boolean> {
  const [command, ...args] = [...OPENERS[system] ?? ["xdg-open"], address];
  try {
    const result = await run(command!, args, { cwd: ".", env: {} });
    return result.kind === "ended" && result.code === 0;
  } catch {
    return false;
  }
}
