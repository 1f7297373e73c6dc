import assert from "node:assert/strict";
import fc from "fast-check";
import { type WaitingCall, waitingCalls } from "./waiting_calls.ts";

const callOf = (ticket: number, model: string): WaitingCall => ({
  model,
  ticket,
  grant: () => {},
  refuse: () => {},
});

Deno.test("waitingCalls() puts a call that comes again before those that came after it", () => {
  const waiting = waitingCalls();
  const [first, second, third] = [callOf(1, "m"), callOf(2, "m"), callOf(3, "n")];
  for (const call of [third, second, first]) waiting.add(call);
  assert.deepEqual(waiting.heads(), [first, third]);
  assert.equal(waiting.remove(first), true);
  assert.equal(waiting.remove(first), false);
  assert.deepEqual(waiting.heads(), [second, third]);
});

Deno.test("waitingCalls() gives every call once, by ticket within its model (property)", () => {
  const tickets = fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 30 });
  fc.assert(
    fc.property(tickets, (numbers) => {
      const waiting = waitingCalls();
      for (const ticket of numbers) waiting.add(callOf(ticket, `m${ticket % 3}`));
      const left: number[] = [];
      for (let [head] = waiting.heads(); head; [head] = waiting.heads()) {
        left.push(head.ticket);
        waiting.remove(head);
      }
      // The oldest of all heads each time: the oldest of all.
      assert.deepEqual(left, numbers.toSorted((a, b) => a - b));
    }),
  );
});
