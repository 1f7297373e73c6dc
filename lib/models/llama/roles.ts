import { createRequire } from "node:module";
import {
  type AnswerModel,
  type AnswerReply,
  byteLength,
  type ChatModel,
  type LanguageModel,
  type Likelihood,
  massReply,
  type NextWordModel,
  type Reply,
  type ScoredPiece,
  type ScoredText,
  spellingsOf,
  type TextScore,
} from "../model.ts";
import {
  type Engine,
  type NextToken,
  singleToken,
  tokenPositions,
  type TokenReader,
  type Tokens,
  type Vocabulary,
  wholeCharacters,
} from "./engine.ts";

export function languageModel(
  name: string,
  engine: Engine,
  settings: LanguageModel["settings"],
): LanguageModel {
  return {
    name,
    settings: { ...engine.settings, ...settings, readout: "likelihood" },
    concurrency: engine.concurrency.score,
    score: (texts, { prefix } = {}) => scoreTexts(engine, texts, prefix),
    scoreParts: (texts, options) => scoreParts(engine, texts, options),
  };
}

/** Computes log P(text | start token, prefix) in nats. Throws as {@link scoreParts} does. */
export async function scoreTexts(
  engine: Engine,
  texts: readonly string[],
  prefix?: string,
): Promise<readonly Likelihood[]> {
  return (await scoreParts(engine, texts.map((text) => ({ text })), { prefix }))
    .map(({ whole }) => whole);
}

/**
 * Computes log P(text | start token, prefix) in nats, optionally by token and word.
 * The score of a region includes the probability that its last word ends there. Texts that share a
 * prefix share its evaluation.
 * @throws {RangeError} for an empty text, one that is too long, and one with characters outside the
 * vocabulary, which would not be scored.
 */
async function scoreParts(
  engine: Engine,
  texts: readonly ScoredText[],
  { prefix, pieces = false }: { readonly prefix?: string | undefined; readonly pieces?: boolean } =
    {},
): Promise<readonly TextScore[]> {
  const before = prefix === undefined ? "" : `${prefix} `;
  const read = texts.map(({ text, through }) => {
    if (text === "") throw new RangeError('Cannot score "": it is empty');
    const tokens = sequenceOf(engine, before + text);
    if (before === "" && through === undefined && !pieces) return { tokens, first: 1, words: [] };
    const places = tokenPositions(
      before + text,
      tokens.slice(1).map((token) => engine.vocabulary.pieceOf(token)),
    );
    // Indices count the start token.
    const lastOf = (beginning: string) => {
      const { token, isExact } = places.tokenAt(before + beginning);
      return { last: token + 1, isExact };
    };
    const first = before === "" ? 1 : places.tokenAt(before).token + 2;
    const words = pieces
      ? [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => {
        const end = index + word.length;
        return { ...lastOf(text.slice(0, end)), end };
      })
      : [];
    const ends = pieces ? places.ends().map((end) => end - before.length) : [];
    return {
      tokens,
      first,
      words,
      ends,
      through: through === undefined ? through : lastOf(through),
    };
  });
  const scores = await engine.score(read.map(({ tokens, words, through, first }, index) => {
    const isWord = !pieces && texts[index]!.text === texts[index]!.through;
    const ends = [...words, ...through ? [through] : []].filter(({ isExact }) => isExact);
    // The end of the prefix's last word is the condition of the first word.
    const condition = words.length > 0 && first > 1 ? [first - 1] : [];
    return { tokens, wordEnds: [...ends.map(({ last }) => last), ...condition], isWord };
  }));
  return scores.map(({ tokens, wordEnds }, index): TextScore => {
    const { text, through } = texts[index]!;
    const { first, words, ends = [], through: place } = read[index]!;
    const nats = (from: number, to: number) => tokens.slice(from, to).reduce((a, b) => a + b, 0);
    const likelihood = (to: number, bytes: number) => (
      { logProbability: nats(first, to), tokens: to - first, bytes }
    );
    const whole = likelihood(tokens.length, byteLength(text));
    if (place === undefined && !pieces) return { whole };
    const beginning = place && likelihood(place.last + 1, byteLength(through!));
    const logProbability = beginning && beginning.logProbability + (wordEnds.get(place!.last) ?? 0);
    const part = beginning && { through: { ...beginning, logProbability: logProbability! } };
    if (!pieces) return { whole, ...part };
    let [from, end] = [first, wordEnds.get(first - 1) ?? 0];
    const scored = words.map(({ last, end: at }, word): ScoredPiece => {
      const after = wordEnds.get(last) ?? 0;
      const own = nats(from, last + 1) + after - end;
      const tokens = Math.max(0, last + 1 - from);
      const start = words[word - 1]?.end ?? 0;
      [from, end] = [Math.max(from, last + 1), after];
      return { text: text.slice(start, at).trim(), logProbability: own, word, end: at, tokens };
    });
    const pieced = tokens.slice(first).map((logProbability, place): ScoredPiece => {
      const at = first + place;
      const [start, end] = [ends[at - 2] ?? 0, ends[at - 1]!];
      const word = words.findIndex(({ last }) => last >= at);
      const own = text.slice(Math.max(0, start), Math.max(0, end));
      return {
        text: own,
        logProbability,
        word: word < 0 ? words.length - 1 : word,
        end,
        tokens: 1,
      };
    });
    return { whole, ...part, tokens: pieced, words: scored };
  });
}

/** A text's tokens after the start token. */
function sequenceOf({ vocabulary }: Engine, text: string): Tokens {
  const { start, tokenise, detokenise, addsSpace } = vocabulary;
  const letters = (text: string) => text.normalize("NFC").replace(/\s/gu, "");
  const tokens = tokenise(addsSpace ? text.replace(/^ /, "") : text);
  const refuse = (why: string) => new RangeError(`Cannot score ${JSON.stringify(text)}: ${why}`);
  if (tokens.length === 0) throw refuse(text === "" ? "it is empty" : "it has no token");
  const read = detokenise(tokens);
  if (letters(read) === letters(text)) return [start.id, ...tokens];
  throw refuse(`the model's vocabulary reads it as ${JSON.stringify(read)}`);
}

/** Maximum length of a reply in tokens: enough for "1\n\nThe correct answer is B.". */
const MAX_REPLY_TOKENS = 10;

const stopped = ({ reason }: AbortSignal): Reply => (
  { kind: "failure", message: `Cannot answer: stopped (${reason})` }
);

/**
 * Makes a chat model: temperature 0, replies of at most 10 tokens.
 * @throws {TypeError} for a file without a chat template.
 */
export function chatModel(
  name: string,
  engine: Engine,
  settings: ChatModel["settings"] = {},
  systemPrompt?: string,
): ChatModel {
  if (engine.chatTemplate === undefined) {
    throw new TypeError(
      `Cannot chat with ${name}: its file has no chat template; use readout: next-token`,
    );
  }
  const render = chatTemplate(engine.chatTemplate, systemPrompt);
  render(QUESTION); // A template that raises is found here, not at the first question.
  const { tokeniseMarkup, detokenise, endsReply } = engine.vocabulary;
  const readout = { readout: "generation", temperature: 0, maxReplyTokens: MAX_REPLY_TOKENS };
  return {
    name,
    settings: { ...engine.settings, ...settings, ...readout, ...systemPrompt && { systemPrompt } },
    concurrency: engine.concurrency.reading,
    ask(question, { signal, limitTimes = 1 } = {}) {
      const limit = MAX_REPLY_TOKENS * limitTimes;
      const prompt = withChatStart(engine.vocabulary, tokeniseMarkup(render(question)));
      return resultOrTooLong(name, engine, async (reader) => {
        const reply: number[] = [];
        let isCut = true;
        while (isCut && reply.length < limit) {
          if (signal?.aborted) return stopped(signal);
          const { best } = await reader.read([...prompt, ...reply]);
          if (endsReply(best)) isCut = false;
          else reply.push(best);
        }
        const text = wholeCharacters(detokenise(reply)).trim();
        const tokens = { promptTokens: prompt.length, replyTokens: reply.length };
        return { kind: "answer", text, ...tokens, ...isCut && { isCut } };
      });
    },
  };
}

/** Adds the start token to a chat's tokens, if the model requires it. */
export function withChatStart({ chatStart }: Vocabulary, tokens: Tokens): Tokens {
  return chatStart === undefined || tokens[0] === chatStart ? tokens : [chatStart, ...tokens];
}

/**
 * Compiles the model's chat template, which formats a question up to the reply.
 *
 * It replaces llama.cpp's built-in templates: its ChatML omits the system message of SmolLM2's
 * template.
 * @throws {SyntaxError} where the template cannot be parsed, or (on use) refuses a single question.
 */
export function chatTemplate(
  template: string,
  systemPrompt?: string,
): (question: string) => string {
  // Its package depends on `@huggingface/jinja` and pins it.
  const engine = createRequire(import.meta.url).resolve("node-llama-cpp");
  const { Template } = createRequire(engine)("@huggingface/jinja") as {
    readonly Template: new (source: string) => { render(values: Record<string, unknown>): string };
  };
  const usable = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw new SyntaxError(`Cannot use the model's chat template: ${cause}`, { cause });
    }
  };
  const parsed = usable(() => new Template(template));
  return (content) => {
    const system = systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }];
    const messages = [...system, { role: "user", content }];
    // Control tokens at the very start are added by tokenisation, where the file asks for them.
    const values = { messages, add_generation_prompt: true, bos_token: "", eos_token: "" };
    return usable(() => parsed.render(values));
  };
}

/** Placeholder of the question while a template is rendered. */
const QUESTION = "THE-QUESTION";

/**
 * Tokenises questions in a chat template.
 * Control words within a question, such as `<|im_end|>`, stay plain text and cannot end the turn.
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

function tokensOf(vocabulary: Vocabulary, texts: readonly string[]): readonly number[] {
  const tokens = texts.map((text) => singleToken(vocabulary.tokenise(text)));
  return [...new Set(tokens.filter((token) => token !== undefined))];
}

function massOf(next: NextToken, tokens: readonly number[]): number {
  return tokens.reduce((sum, token) => sum + Math.exp(next.logProbability(token)), 0);
}

/**
 * Wraps a base model as a chat model that answers with the more probable letter.
 *
 * It compares P("A") + P(" A") with P("B") + P(" B") after the start token and the prompt as plain
 * text. Equal probabilities give no answer. @throws {TypeError} where a letter is not a token of
 * the vocabulary.
 */
export function nextTokenModel(
  name: string,
  engine: Engine,
  settings: ChatModel["settings"] = {},
  systemPrompt?: string,
): ChatModel {
  const { vocabulary } = engine;
  const before = systemPrompt === undefined ? "" : `${systemPrompt}\n\n`;
  const [a, b] = ["A", "B"].map((letter) => tokensOf(vocabulary, [letter, ` ${letter}`]));
  if (!a?.length || !b?.length) {
    throw new TypeError(`Cannot ask ${name}: "A" and "B" are not tokens of its vocabulary`);
  }
  return {
    name,
    settings: {
      ...engine.settings,
      ...settings,
      readout: "next-token",
      temperature: 0,
      ...systemPrompt && { systemPrompt },
    },
    concurrency: engine.concurrency.reading,
    ask: (question, { signal } = {}) =>
      resultOrTooLong(name, engine, async (reader) => {
        if (signal?.aborted) return stopped(signal);
        const prompt = [vocabulary.start.id, ...vocabulary.tokenise(before + question)];
        const next = await reader.read(prompt);
        const difference = Math.log(massOf(next, a)) - Math.log(massOf(next, b));
        const text = difference > 0 ? "A" : difference < 0 ? "B" : "";
        return { kind: "answer", text, promptTokens: prompt.length, replyTokens: 1 };
      }),
  };
}

/** Tokens of words in all their spellings. @throws {TypeError} where none is a single token. */
function answerTokens(name: string, { vocabulary }: Engine, words: readonly string[]) {
  const tokens = tokensOf(vocabulary, words.flatMap(spellingsOf));
  if (tokens.length > 0) return tokens;
  throw new TypeError(`Cannot ask ${name}: ${words.join(", ")} is no token of its vocabulary`);
}

/**
 * Returns the probability of sets of tokens after a prompt.
 * A prompt longer than the context is a failure.
 */
async function readMasses(
  name: string,
  engine: Engine,
  prompt: Tokens,
  sets: readonly Tokens[],
  signal: AbortSignal | undefined,
): Promise<AnswerReply> {
  return await resultOrTooLong(name, engine, async (reader) => {
    signal?.throwIfAborted();
    const next = await reader.read(prompt);
    return massReply(sets.map((tokens) => massOf(next, tokens)));
  });
}

/** Converts the error of a prompt that is too long to a failure of this prompt alone. */
async function resultOrTooLong<Answer>(
  name: string,
  engine: Engine,
  work: (reader: TokenReader) => Promise<Answer>,
) {
  return await engine.reading(async (reader) => {
    try {
      return await work(reader);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message = `Cannot ask ${name}: ${error.message}`;
      return { kind: "failure", message, tooLong: true } as const;
    }
  });
}

/**
 * Makes a judge read by the next token after the plain prompt.
 * @throws {TypeError} for words of several tokens.
 */
export function engineNextWord(
  name: string,
  engine: Engine,
  settings: NextWordModel["settings"] = {},
): NextWordModel {
  const { start, tokenise } = engine.vocabulary;
  return {
    name,
    settings: { ...engine.settings, ...settings, readout: "next-token" },
    concurrency: engine.concurrency.reading,
    async nextWord(prompt, words, { signal } = {}) {
      const sets = [words.yes, words.no].map((one) => answerTokens(name, engine, one));
      const tokens = [start.id, ...tokenise(prompt)];
      const reply = await readMasses(name, engine, tokens, sets, signal);
      if (reply.kind !== "mass") return reply;
      const [yes, no] = reply.answers as [number, number];
      return { kind: "mass", yes, no, other: reply.other };
    },
  };
}

/** Text before the answer of a base model, which only continues texts. */
const ANSWER = "\nAnswer:";

/** Reads answers by the first token of a reply, in the chat template or after "Answer:". */
export function engineAnswers(
  name: string,
  engine: Engine,
  settings: AnswerModel["settings"] = {},
): AnswerModel {
  const { chatTemplate, vocabulary } = engine;
  const asked = chatTemplate && templateTokens(name, chatTemplate, vocabulary);
  const tokensOf = (prompt: string) =>
    asked
      ? withChatStart(vocabulary, asked(prompt))
      : [vocabulary.start.id, ...vocabulary.tokenise(prompt + ANSWER)];
  const readout = asked ? "first token of the reply" : 'token after "Answer:"';
  return {
    name,
    settings: { ...engine.settings, ...settings, readout },
    concurrency: engine.concurrency.reading,
    countTokens: (text) => vocabulary.tokenise(text).length,
    async answer(prompt, answers, { signal } = {}) {
      const sets = answers.map((word) => answerTokens(name, engine, [word]));
      if (new Set(sets.flat()).size < sets.flat().length) {
        throw new TypeError(`Cannot ask ${name}: ${answers.join(", ")} share a token`);
      }
      return await readMasses(name, engine, tokensOf(prompt), sets, signal);
    },
  };
}
