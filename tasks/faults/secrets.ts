import { join } from "node:path";
import { KEYS } from "./setting.ts";

/** @throws {Error} where a key stands in a report of a run, or in a file that it wrote. */
export function requireNoSecret(folder: string, reports: unknown): void {
  const texts = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => [name, Deno.readTextFileSync(join(folder, name))] as const);
  for (const [place, text] of [...texts, ["a report", Deno.inspect(reports, { depth: 20 })]]) {
    const key = KEYS.find((key) => text.includes(key.reveal()));
    if (key) throw new Error(`The value of ${key.label} stands in ${place}`);
  }
}
