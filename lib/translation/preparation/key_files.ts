import { z } from "zod";
import { type Json, writeJsonAtomic } from "../../files/json_file.ts";
import { readTextIfThere } from "../../files/read_text.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { SealedKey } from "./key.ts";
import { inOneLine } from "./faults.ts";
import { isSecret } from "./secret_order.ts";

const ITEM_ID = z.number().int().positive();

const ROLE = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("rated") }),
  z.strictObject({ kind: z.literal("repeat"), of: ITEM_ID }),
  z.strictObject({
    kind: z.literal("attention"),
    of: ITEM_ID,
    translation: z.number().int().nonnegative(),
    spoiled_by: z.string(),
  }),
]);

const FILE = z.strictObject({
  run_id: z.string().min(1),
  secret: z.string().refine(isSecret, "is no secret of 128 bits or more"),
  assignment: z.enum(["per_run", "per_item"]),
  systems: z.array(z.string().min(1)).min(2),
  items: z.array(z.strictObject({
    item_id: ITEM_ID,
    segment: z.string(),
    document: z.string(),
    systems: z.array(z.string()),
    role: ROLE,
  })).min(1),
}).superRefine(({ systems, items }, context) => {
  const sorted = JSON.stringify(systems.toSorted());
  const ids = new Set(items.map(({ item_id }) => item_id));
  for (const [index, item] of items.entries()) {
    const report = (message: string) =>
      context.addIssue({ code: "custom", path: ["items", index], message });
    if (JSON.stringify(item.systems.toSorted()) !== sorted) {
      report(`item ${item.item_id} does not have each of the systems once`);
    }
    if (item.role.kind !== "rated" && !ids.has(item.role.of)) {
      report(`item ${item.item_id} refers to item ${item.role.of}, which is not there`);
    }
  }
  if (ids.size !== items.length) {
    context.addIssue({ code: "custom", path: ["items"], message: "an item stands twice" });
  }
});

/** Writes a key as JSON. It must not lie where a rater gets the workbook from. */
export function writeSealedKey(path: string, key: SealedKey): void {
  writeJsonAtomic(path, toFile(key));
}

/**
 * Reads a key as {@link writeSealedKey} wrote it; `checkKey` compares it with a workbook.
 *
 * Throws SyntaxError naming the file and everything wrong in it, and NotFound if there is none.
 */
export function readSealedKey(path: string): SealedKey {
  const parsed = FILE.safeParse(jsonIn(path));
  if (parsed.success) return fromFile(parsed.data);
  const faults = parsed.error.issues.map(({ path, message }) =>
    `${path.join(".") || "the whole file"}: ${message}`
  );
  throw new SyntaxError(`Cannot read the key ${shownPath(path)}: ${inOneLine(faults)}.`);
}

function jsonIn(path: string): unknown {
  const text = readTextIfThere(path);
  if (text === undefined) {
    throw new Deno.errors.NotFound(`Cannot read the key ${shownPath(path)}: it is not there.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(
      `Cannot read the key ${shownPath(path)}: it is no JSON. ${(error as Error).message}`,
    );
  }
}

function toFile({ runId, secret, assignment, systems, items }: SealedKey): Json {
  return {
    ...{ run_id: runId, secret, assignment, systems },
    items: items.map(({ itemId, segment, document, systems, role }) => ({
      ...{ item_id: itemId, segment, document, systems },
      role: role.kind !== "attention" ? { ...role } : {
        ...{ kind: role.kind, of: role.of, translation: role.translation },
        spoiled_by: role.spoiledBy,
      },
    })),
  };
}

function fromFile({ run_id, secret, assignment, systems, items }: z.infer<typeof FILE>): SealedKey {
  return {
    ...{ runId: run_id, secret, assignment, systems },
    items: items.map(({ item_id, segment, document, systems, role }) => ({
      ...{ itemId: item_id, segment, document, systems },
      role: role.kind !== "attention" ? role : {
        ...{ kind: role.kind, of: role.of, translation: role.translation },
        spoiledBy: role.spoiled_by,
      },
    })),
  };
}
