/** Child process of `contained_model_test.ts`: a model that crashes at certain texts. */
import type { Reply } from "../../model.ts";
import { serveModel } from "../contained_model.ts";

const settings = { temperature: 0, precision: "F32" };
const starts = Deno.env.get("CRASHING_MODEL_STARTS");
if (starts) Deno.writeTextFileSync(starts, "started\n", { append: true });

/** Waits until several calls are active, then crashes if the text requests it. */
async function read(text: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (text.includes("abort")) Deno.kill(Deno.pid, "SIGABRT");
  if (text.includes("refused")) throw new RangeError(`Cannot score "${text}": no tokens`);
}

await serveModel(({ id, path }) => {
  if (path?.includes("unloadable")) Deno.kill(Deno.pid, "SIGABRT");
  return Promise.resolve({
    name: id,
    chat: {
      name: id,
      settings,
      concurrency: 2,
      async ask(prompt): Promise<Reply> {
        await read(prompt);
        return { kind: "answer", text: "A", promptTokens: 1, replyTokens: 1 };
      },
    },
    likelihood: {
      name: id,
      settings,
      concurrency: 4,
      score: (texts) =>
        Promise.all(texts.map(async (text) => {
          await read(text);
          const logProbability = text === "impossible" ? -Infinity : -text.length - 0.1;
          return { logProbability, tokens: 1, bytes: text.length };
        })),
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
