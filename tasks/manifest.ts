/** Writes the generated part of data/README.md: deno task manifest. A test holds it to the files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { replaceMarkedSection } from "../lib/files/marked_section.ts";
import { MANIFEST } from "./manifest/entries.ts";
import { renderManifest } from "./manifest/render.ts";

/** The manifest as it should be, from the files as they are. */
export function manifest(data: string): string {
  const readme = Deno.readTextFileSync(join(data, "README.md"));
  const present = MANIFEST.filter(({ file, whenMissing }) =>
    whenMissing === undefined || existsSync(join(data, file))
  );
  const body = renderManifest(present, (file) => Deno.readFileSync(join(data, file)));
  return replaceMarkedSection(readme, "manifest", body);
}

/** Writes it. */
export function writeManifest(data: string): void {
  writeTextAtomic(join(data, "README.md"), manifest(data));
}

if (import.meta.main) {
  writeManifest(join(import.meta.dirname!, "..", "data"));
  console.log(`data/README.md describes ${MANIFEST.length} files`);
}
