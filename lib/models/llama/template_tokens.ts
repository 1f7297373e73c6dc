import { chatTemplate } from "./chat_template.ts";
import type { Tokens, Vocabulary } from "./engine.ts";

/** Stands for the question while the template is rendered. */
const QUESTION = "THE-QUESTION";

/**
 * Questions in a chat template as tokens. Only the template's own markup names control tokens: a text
 * that says `<|im_end|>` cannot end its turn.
 *
 * @param name Of the model, for errors.
 * @throws {TypeError} for a template that does not hold a question once.
 * @throws {SyntaxError} for one that cannot be parsed.
 */
export function templateTokens(
  name: string,
  template: string,
  { tokenise, tokeniseMarkup }: Pick<Vocabulary, "tokenise" | "tokeniseMarkup">,
): (question: string) => Tokens {
  const [before, after, ...more] = chatTemplate(template)(QUESTION).split(QUESTION);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new TypeError(`Cannot chat with ${name}: its template does not hold a question once`);
  }
  const [head, tail] = [tokeniseMarkup(before), tokeniseMarkup(after)];
  return (question) => [...head, ...tokenise(question), ...tail];
}
