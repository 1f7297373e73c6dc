interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Why a line is no row, on one line: an error's message, or a zod error's, field by field. */
export function damageReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  return message.replace(/\s+/g, " ").trim() || "refused without a reason";
}

/** zod's own message is a page of JSON. */
function messageOf(error: Error): string {
  if (error.name !== "ZodError" || !("issues" in error)) return error.message;
  return (error.issues as readonly Issue[])
    .map(({ path, message }) => `${path.map(String).join(".")}: ${message}`)
    .join("; ");
}
