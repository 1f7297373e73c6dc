import { z } from "zod";
import { join } from "node:path";
import type { Notebook } from "./nbformat.ts";

const ProjectPath = z.string().regex(
  /^(?!\/)(?!.*\.\.)(?!.*\\).+[^/]$/,
  "must be a file's path from the project's folder, with / between its parts",
);
const Declaration = z.strictObject({
  reads: z.array(ProjectPath).default([]),
  writes: z.array(ProjectPath).default([]),
  needs: z.literal("models").optional(),
});

/**
 * What a notebook promises in its metadata under `touchstone`: files it reads and writes, from the
 * project's folder, and whether it needs model files.
 */
export type Declaration = z.infer<typeof Declaration>;

/** @throws SyntaxError naming the notebook where the declaration is missing or malformed */
export function declarationOf(notebook: Notebook, name: string): Declaration {
  const parsed = Declaration.safeParse(notebook.metadata.touchstone);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(
    `Cannot run ${name}: its metadata lacks a valid "touchstone": ` +
      `{ "reads": [...], "writes": [...] }: ${z.prettifyError(parsed.error)}`,
  );
}

/** The paths under `root` where no file with content stands. */
export function missingFiles(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    try {
      const { isFile, size } = Deno.statSync(join(root, path));
      return !isFile || size === 0;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return true;
      throw error;
    }
  });
}
