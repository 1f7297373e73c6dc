import { bytesToHex } from "@noble/hashes/utils.js";
import { canonicalSha256 } from "../hashes.ts";

/** 256 bits from the system's generator, in hexadecimal: the secret of a real run. */
export function newSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The numbers 0 … n−1 in an order that only the secret gives: sorted by SHA-256 over secret, purpose
 * and number. Everything a rater must not be able to work out is drawn so: which system is t1, which
 * items come twice, what is spoiled. It is not drawn from the run's seed, which is no secret: whoever
 * knew the seed and the order of the systems could run the same program and read off the key.
 */
export function secretOrder(secret: string, purpose: string, n: number): number[] {
  return Array.from({ length: n }, (_, number) => ({
    number,
    hash: canonicalSha256(["secret order", secret, purpose, number]),
  })).sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ number }) => number);
}

/**
 * Whether a secret is 128 bits or more in lower-case hexadecimal. A short one can be found by trying:
 * the key of twelve known systems with one order for the whole run is one of 12! = 479,001,600, which
 * a laptop hashes in minutes, and the key's hash stands in the workbook.
 */
export function isSecret(secret: string): boolean {
  return /^(?:[0-9a-f]{2}){16,}$/.test(secret);
}

/** Throws RangeError for what is no secret (see {@link isSecret}). */
export function requireSecret(secret: string): void {
  if (isSecret(secret)) return;
  throw new RangeError(
    "Cannot seal a key: its secret must be 32 or more lower-case hexadecimal digits, two a byte.",
  );
}
