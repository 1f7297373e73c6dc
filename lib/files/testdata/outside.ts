/** Folder of the sets that are not part of this repository, for the tests that read them; else undefined. */
export const SETS_FOLDER = Deno.env.get("TOUCHSTONE_SETS");
