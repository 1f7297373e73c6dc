import { formatDuration } from "../../files/progress.ts";
import { KEYLESS } from "./api_keys.ts";
import type { KeyReturn, LastStep } from "./key_ring.ts";
import type { WaitStatus } from "./keyed_calls_options.ts";

const two = (n: number) => String(n).padStart(2, "0");

/** `2026-11-23 01:00:05 here, 2026-11-23 00:00:05 UTC`; seconds rounded up, never too early. */
export function formatReturn(until: number): string {
  const time = new Date(Math.ceil(until / 1000) * 1000);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join("-");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  const utc = time.toISOString().slice(0, 19).replace("T", " ");
  return `${day} ${clock} here, ${utc} UTC`;
}

function describeKey(key: KeyReturn): string {
  if ("ended" in key) return `${key.label} does not return: ${key.ended}`;
  const remembered = key.rememberedIn === undefined
    ? ""
    : `, as ${key.rememberedIn} remembers: delete it where the limit was raised since`;
  return `${key.label} returns ${formatReturn(key.until)} (${key.limit}${remembered})`;
}

const KEPT = "What is answered is kept";

/** The text with a full stop, where it has no end of its own. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Why a model cannot be asked now, and when to try again. */
export function unavailableMessage(model: string, step: LastStep): string {
  // The same for every model there, so that it is told once.
  if (step.kind === "host ended") {
    return `${step.message}. ${KEPT}: run the same command again afterwards.`;
  }
  if (step.kind === "model ended") return sentence(`Cannot ask ${model}: ${step.message}`);
  const [only] = step.returns;
  if (only?.label === KEYLESS) {
    const why = "ended" in only
      ? only.ended
      : `its server takes questions again ${formatReturn(only.until)} (${only.limit})`;
    return `Cannot ask ${model}: ${why}. ${KEPT}: run the same command again afterwards.`;
  }
  const some = step.returns.some((key) => "until" in key);
  const remedy = some
    ? "run the same command again then, or add a key of another organisation"
    : "put a valid key in .env and run the same command again";
  const keys = step.returns.map(describeKey).join("; ");
  return `Cannot ask ${model}: no available keys remain: ${keys}. ${KEPT}: ${remedy}.`;
}

/** `waiting 0:43 for GROQ_API_KEY_1, openai/gpt-oss-120b (tokens per minute)` */
export function formatWait({ seconds, key, model, limit }: WaitStatus): string {
  const whom = key === KEYLESS ? model : `${key}, ${model}`;
  return `waiting ${formatDuration(Math.ceil(seconds))} for ${whom} (${limit})`;
}
