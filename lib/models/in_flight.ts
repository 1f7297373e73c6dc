/**
 * Does `work` on every item, on at most `limit` at once, and takes the next item only when one is
 * done. Where `work` gives false or throws, none is begun any more; what is under way is awaited in
 * any case, so that nobody writes to a file that is closed.
 *
 * @throws {RangeError} unless the limit is a whole number, 1 or more; then the first that `work` threw.
 */
export async function eachInFlight<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<boolean>,
): Promise<void> {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`Cannot work on ${limit} items at once: it is no whole number from 1 on.`);
  }
  const left = items[Symbol.iterator]();
  const thrown: { readonly error: unknown }[] = [];
  let open = true;
  const worker = async () => {
    while (open) {
      const { value, done } = left.next();
      if (done) return;
      try {
        if (!await work(value)) open = false;
      } catch (error) {
        open = false;
        thrown.push({ error });
      }
    }
  };
  const workers = [worker()];
  // A worker more only while there is something to take: the limit may be far above the items.
  for (let more = 1; open && more < limit; more++) workers.push(worker());
  await Promise.all(workers);
  const [first] = thrown;
  if (first) throw first.error;
}
