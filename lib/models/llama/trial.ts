/**
 * Opens a GGUF file in a separate process, so that a crash ends only that process.
 *
 * `deno run … trial.ts facts|load FILE` prints one line of JSON: `{"isChat": …}`, `{}` or
 * `{"problem": …}`. llama.cpp aborts on some damaged files and unexpected vocabularies.
 */
import { ggufFactsHere } from "./gguf_model.ts";
import { openEngine } from "./open_engine.ts";

/** Loads the model and evaluates a few words. */
async function load(path: string): Promise<void> {
  await using engine = await openEngine(path, { threads: 1, contextTokens: 256 });
  const { start, tokenise } = engine.vocabulary;
  await engine.score([{ tokens: [start.id, ...tokenise("a b")] }]);
}

if (import.meta.main) {
  const [what, path = ""] = Deno.args;
  try {
    const found = what === "facts" ? ggufFactsHere(path) : (await load(path), {});
    console.log(JSON.stringify(found));
  } catch (error) {
    console.log(
      JSON.stringify({ problem: error instanceof Error ? error.message : String(error) }),
    );
  }
}
