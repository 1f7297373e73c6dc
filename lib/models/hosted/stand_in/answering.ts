import type { Behaviour, StandInCall } from "./behaviour.ts";
import { answerChoice, chatBody, htmlPage } from "./bodies.ts";
import { cutBody, halfOf, pausedBody } from "./broken_bodies.ts";
import { json, refused } from "./refusing.ts";

/** What answering needs of the server around it. */
export interface Surroundings {
  /** The text of an answer for which a plan names none. */
  readonly answer: (call: StandInCall) => string;
  readonly delayMs: number;
  /** Where connections are broken; see raw_listener.ts. */
  readonly rawUrl: string;
  /** Resolves when the server is to close: nothing may hang any longer. */
  readonly closing: Promise<void>;
}

/** The response to a chat call, as its behaviour says. */
export async function respond(
  call: StandInCall,
  behaviour: Behaviour,
  surroundings: Surroundings,
): Promise<Response> {
  switch (behaviour.kind) {
    case "answer":
      return await answered(call, behaviour, surroundings);
    case "no choices":
      return json(200, chatBody(call, [], ""));
    case "no message":
      return json(200, chatBody(call, [{ index: 0, finish_reason: "stop" }], ""));
    case "json":
      return json(behaviour.status, behaviour.body);
    case "html":
      return new Response(htmlPage(behaviour.status), {
        status: behaviour.status,
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "hang":
    case "hang in body":
    case "cut":
    case "drop":
    case "garbage":
    case "half JSON":
    case "no body":
      return await broken(call, behaviour, surroundings);
    default:
      return refused(call, behaviour);
  }
}

type Broken = Extract<
  Behaviour,
  {
    readonly kind:
      | "hang"
      | "hang in body"
      | "cut"
      | "drop"
      | "garbage"
      | "half JSON"
      | "no body";
  }
>;

async function broken(
  call: StandInCall,
  behaviour: Broken,
  surroundings: Surroundings,
): Promise<Response> {
  const whole = wholeAnswer(call, surroundings.answer(call));
  const headers = { "content-type": "application/json" };
  switch (behaviour.kind) {
    case "hang":
      await surroundings.closing;
      return new Response(null, { status: 503 });
    case "hang in body":
      return new Response(pausedBody(halfOf(whole), surroundings.closing), { headers });
    case "cut": {
      const response = new Response(cutBody(halfOf(whole)), { headers });
      const length = new TextEncoder().encode(whole).length;
      if (behaviour.promised === "length") response.headers.set("content-length", String(length));
      return response;
    }
    case "half JSON":
      return new Response(halfOf(whole), { headers });
    case "no body":
      return new Response("", { headers });
    case "drop":
    case "garbage":
      return Response.redirect(`${surroundings.rawUrl}/${behaviour.kind}`, 307);
  }
}

async function answered(
  call: StandInCall,
  behaviour: Extract<Behaviour, { readonly kind: "answer" }>,
  { answer, delayMs, closing }: Surroundings,
): Promise<Response> {
  await pause(behaviour.delayMs ?? delayMs, closing);
  const text = behaviour.text ?? answer(call);
  return json(200, chatBody(call, [answerChoice(behaviour, text)], text));
}

function wholeAnswer(call: StandInCall, text: string): string {
  return JSON.stringify(chatBody(call, [answerChoice({ kind: "answer" }, text)], text));
}

/** Waits, but not beyond the server's end. */
async function pause(milliseconds: number, closing: Promise<void>): Promise<void> {
  if (milliseconds <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, closing]);
  clearTimeout(timer);
}
