import { z } from "zod";
import { UnusableReply } from "./call_problem.ts";

/** An error that came with status 200, made like the SDKs' own, so that it is read like those. */
export class ErrorInBody extends Error {
  override readonly name = "ErrorInBody";
  /** Those of an error in a body are not known. */
  readonly headers: Headers = new Headers();

  /** @param error What the body says under `error`. */
  constructor(message: string, readonly status: number, readonly error: unknown) {
    super(message);
  }
}

const ERROR_BODY = z.object({
  error: z.union([
    z.string().min(1).transform((message) => ({ message, code: undefined, type: undefined })),
    z.object({
      message: z.string(),
      code: z.union([z.string(), z.number()]).nullish().catch(undefined),
      type: z.string().nullish().catch(undefined),
    }),
  ]),
  /** What has an answer is one, whatever else it says. */
  choices: z.array(z.unknown()).max(0).nullish(),
});

/**
 * The body of an answer with status 200, as an SDK gives it. JSON under another content type, which
 * an SDK leaves as text, is parsed.
 *
 * @throws {ErrorInBody} where it is an error that names a status: proxies before several hosts pass
 * a host's error on with status 200.
 * @throws {UnusableReply} where it is an error that names none.
 */
export function bodyOf(answer: unknown): unknown {
  const body = typeof answer === "string" ? parsed(answer) : answer;
  const found = ERROR_BODY.safeParse(body).data?.error;
  if (found === undefined) return body;
  const status = statusIn(found);
  if (status === undefined) throw new UnusableReply(`an error, ${found.message}`);
  throw new ErrorInBody(found.message, status, found);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Of a code that is a status, or that names a limit. */
function statusIn({ code, type }: z.infer<typeof ERROR_BODY>["error"]): number | undefined {
  const status = Number(code ?? Number.NaN);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  return [code, type].some((word) => /^rate_limit/.test(String(word))) ? 429 : undefined;
}
