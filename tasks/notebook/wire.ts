import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { Json } from "./nbformat.ts";

const DELIMITER = "<IDS|MSG>";
const Header = z.object({ msg_id: z.string(), msg_type: z.string() });
const Content = z.record(z.string(), Json);

/** A message of the Jupyter protocol, as far as a runner reads it. */
export interface KernelMessage {
  readonly type: string;
  /** `msg_id` of the request that this answers; undefined where there is none. */
  readonly parent: string | undefined;
  readonly content: Readonly<Record<string, Json>>;
}

/** A request to a kernel. `id` comes back as the parent of everything the request causes. */
export interface KernelRequest {
  readonly id: string;
  readonly type: string;
  readonly content: Readonly<Record<string, Json>>;
}

/**
 * The frames of a request: delimiter, HMAC-SHA-256 over header, parent, metadata and content, and
 * these four as JSON (Jupyter messaging protocol 5.3, "The wire protocol").
 */
export function encodeRequest(request: KernelRequest, key: string, session: string): string[] {
  const header = {
    msg_id: request.id,
    msg_type: request.type,
    session,
    username: "touchstone",
    date: new Date().toISOString(),
    version: "5.3",
  };
  const parts = [header, {}, {}, request.content].map((part) => JSON.stringify(part));
  return [DELIMITER, sign(parts, key), ...parts];
}

/**
 * Reads a message's frames; what stands before the delimiter (routing, topic) is skipped.
 *
 * @throws SyntaxError where the frames are no Jupyter message or the signature is not the key's
 */
export function decodeMessage(frames: readonly Uint8Array[], key: string): KernelMessage {
  const texts = frames.map((frame) => new TextDecoder().decode(frame));
  const start = texts.indexOf(DELIMITER);
  const [signature, ...rest] = texts.slice(start + 1);
  const parts = rest.slice(0, 4);
  if (start < 0 || signature === undefined || parts.length < 4) {
    throw new SyntaxError(`Cannot read kernel message: it has ${frames.length} frames, not 6`);
  }
  if (!sameSignature(signature, sign(parts, key))) {
    throw new SyntaxError("Cannot trust kernel message: its signature is not that of our key");
  }
  const [header, parent, , content] = parts.map((part) => JSON.parse(part));
  return {
    type: Header.parse(header).msg_type,
    parent: Header.safeParse(parent).data?.msg_id,
    content: Content.parse(content),
  };
}

function sign(parts: readonly string[], key: string): string {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}

function sameSignature(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new TextEncoder().encode(text));
  return left!.length === right!.length && timingSafeEqual(left!, right!);
}
