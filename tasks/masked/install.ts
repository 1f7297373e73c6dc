import { join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../lib/files/json_file.ts";
import type { RunProcess } from "../../lib/files/process.ts";

/** As the committed lock has it. */
const PACKAGE = { name: "@huggingface/transformers", version: "4.3.1" } as const;

/** What to install where, and by which Deno. */
export interface Installation {
  readonly folder: string;
  /** The text of the lock: every package's version and checksum. */
  readonly lock: string;
  readonly deno: string;
  readonly run: RunProcess;
}

/**
 * Installs transformers.js into a folder of its own, exactly as locked and without install scripts:
 * one of them would fetch libraries for a graphics card.
 *
 * @throws {Error} where Deno cannot install it, with what Deno said.
 */
export async function installTransformers(
  { folder, lock, deno, run }: Installation,
): Promise<void> {
  writeJsonAtomic(join(folder, "deno.json"), { nodeModulesDir: "auto" });
  writeJsonAtomic(join(folder, "package.json"), {
    private: true,
    dependencies: { [PACKAGE.name]: PACKAGE.version },
  });
  writeTextAtomic(join(folder, "deno.lock"), lock);
  const result = await run(deno, ["install", "--frozen"], { cwd: folder, env: { NO_COLOR: "1" } });
  if (result.kind === "ended" && result.code === 0) return;
  const why = result.kind === "missing"
    ? "Deno may not be run; allow it with --allow-run"
    : `deno install ended with code ${result.code}:\n${result.output.trim()}`;
  throw new Error(`Cannot install ${PACKAGE.name} ${PACKAGE.version}: ${why}`);
}
