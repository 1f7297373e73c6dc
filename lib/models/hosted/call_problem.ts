import {
  describeNetworkProblem,
  isNetworkProblem,
  lacksPermission,
  type Unsent,
  unsentBecause,
} from "./network_problem.ts";
import type { RateLimit } from "./rate_limit.ts";
import { readStatus, statusError } from "./status_problem.ts";
import { TimeLimitError } from "./time_limit.ts";

/** A reply with status 200 that is none: no choices, no message, an HTML page. It is asked again. */
export class UnusableReply extends Error {
  override readonly name = "UnusableReply";
}

/** Why a request brought no value, by what is to be done about it. */
export type CallProblem =
  /** The key rests for this model, and so do all keys of its organisation. */
  | { readonly kind: "limited"; readonly rate: RateLimit; readonly organisation?: string }
  /** The key is of no use any more, or none of its organisation's is. */
  | {
    readonly kind: "key";
    readonly message: string;
    readonly organisation?: string;
    readonly wholeOrganisation: boolean;
  }
  /** The host does not serve the model, with whatever key. */
  | { readonly kind: "model"; readonly message: string }
  /** May go well at the next try: network, 5xx, half a reply. */
  | {
    readonly kind: "transient";
    readonly message: string;
    /** Said where the request never reached the host. */
    readonly unsent?: Unsent;
  }
  /** This request is refused and would be again. */
  | { readonly kind: "refused"; readonly message: string };

/** Whom messages name, and what the host's user is to do about a model. */
export interface ProblemContext {
  readonly host: string;
  readonly modelRemedy: string;
  /** Whether the request went out without a key, to a server of the user's own. */
  readonly keyless?: boolean;
  /** Takes keys, accounts and addresses out of a text of the host's or the SDK's. */
  readonly clean: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads an error of groq-sdk or openai, or any that a request threw. */
export function readProblem(error: unknown, context: ProblemContext): CallProblem {
  const answered = statusError(error, context.clean);
  if (answered) return readStatus(answered, context);
  const { host, clean } = context;
  if (lacksPermission(error)) {
    const message = `this process may not reach ${host}; run it with --allow-net`;
    return { kind: "refused", message };
  }
  if (error instanceof TimeLimitError) {
    return { kind: "transient", message: `${host} gave ${error.message}` };
  }
  if (error instanceof UnusableReply) {
    return { kind: "transient", message: `${host} sent no usable reply: ${clean(error.message)}` };
  }
  // The SDK's own JSON.parse of a body that was cut off, or that is none.
  if (error instanceof SyntaxError) {
    return { kind: "transient", message: `${host} sent half a reply, or one that is not JSON` };
  }
  if (isNetworkProblem(error)) {
    const message = `${host} cannot be reached: ${describeNetworkProblem(error)}`;
    const unsent = unsentBecause(error);
    return { kind: "transient", message, ...(unsent === undefined ? {} : { unsent }) };
  }
  return { kind: "refused", message: `the call to ${host} broke: ${clean(String(error))}` };
}
