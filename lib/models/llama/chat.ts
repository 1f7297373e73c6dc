import type { ChatModel, Reply } from "../model.ts";
import { chatTemplate } from "./chat_template.ts";
import type { Engine, TokenReader, Tokens } from "./engine.ts";

/** Room for "1\n\nThe correct answer is B."; what rambles on is cut here. */
const MAX_REPLY_TOKENS = 10;

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

/** A character that was cut in two by the limit is left out, as servers leave it out. */
function wholeCharacters(text: string): string {
  return text.replace(/\ufffd+$/, "");
}

/** The most probable token after each (temperature 0), until the reply ends or is cut. */
async function greedyReply(
  engine: Engine,
  reader: TokenReader,
  prompt: Tokens,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const reply: number[] = [];
  while (reply.length < MAX_REPLY_TOKENS) {
    if (isAborted(signal)) {
      return { kind: "failure", message: `Cannot answer: stopped (${signal?.reason})` };
    }
    const { best } = await reader.read([...prompt, ...reply]);
    if (engine.vocabulary.endsReply(best)) break;
    reply.push(best);
  }
  const text = wholeCharacters(engine.vocabulary.detokenise(reply)).trim();
  return { kind: "answer", text, promptTokens: prompt.length, replyTokens: reply.length };
}

/**
 * The engine's model as a chat model at temperature 0, asked in its own chat template; replies are
 * cut after 10 tokens. An abort is a failure, noticed between tokens.
 *
 * @throws {TypeError} where the file has no chat template: a base model answers by next token.
 */
export function chatModel(
  name: string,
  engine: Engine,
  settings: ChatModel["settings"] = {},
): ChatModel {
  if (engine.chatTemplate === undefined) {
    throw new TypeError(
      `Cannot chat with ${name}: its file has no chat template; use readout: next-token`,
    );
  }
  const render = chatTemplate(engine.chatTemplate);
  const { chatStart, tokeniseMarkup } = engine.vocabulary;
  const promptOf = (question: string): Tokens => {
    const tokens = tokeniseMarkup(render(question));
    return chatStart === undefined || tokens[0] === chatStart ? tokens : [chatStart, ...tokens];
  };
  return {
    name,
    settings: {
      ...engine.settings,
      ...settings,
      readout: "generation",
      temperature: 0,
      maxReplyTokens: MAX_REPLY_TOKENS,
    },
    ask: (question, { signal } = {}) =>
      engine.reading((reader) => greedyReply(engine, reader, promptOf(question), signal)),
  };
}
