import { createRequire } from "node:module";

/** The part of `@huggingface/jinja` that is used; node-llama-cpp depends on it and pins it. */
interface Jinja {
  readonly Template: new (source: string) => { render(values: Record<string, unknown>): string };
}

function jinja(): Jinja {
  const engine = createRequire(import.meta.url).resolve("node-llama-cpp");
  return createRequire(engine)("@huggingface/jinja") as Jinja;
}

/**
 * The model's own chat template as a function from a question to the text the model reads, up to
 * where its reply begins. llama.cpp's built-in templates are not used: its ChatML leaves out the
 * system message that SmolLM2's template puts in by default.
 *
 * @param template Jinja source, as it stands in the GGUF file.
 * @throws {SyntaxError} where the template cannot be parsed, or (on use) refuses a single question.
 */
export function chatTemplate(template: string): (question: string) => string {
  const { Template } = jinja();
  const refused = (cause: unknown) =>
    new SyntaxError(`Cannot use the model's chat template: ${cause}`, { cause });
  const parsed = attempt(() => new Template(template), refused);
  return (question) =>
    attempt(
      () =>
        parsed.render({
          messages: [{ role: "user", content: question }],
          add_generation_prompt: true,
          // Control tokens at the very start are added by tokenisation, where the file asks for them.
          bos_token: "",
          eos_token: "",
        }),
      refused,
    );
}

function attempt<T>(work: () => T, error: (cause: unknown) => Error): T {
  try {
    return work();
  } catch (cause) {
    throw error(cause);
  }
}
