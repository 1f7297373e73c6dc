/** Prints one line, and whether it keeps within its limit. */
export type Report = (what: string, value: number, limit: number, text: string) => boolean;

export const report: Report = (what, value, limit, text) => {
  const kept = value <= limit;
  console.log(`${kept ? "kept  " : "MISSED"} ${what}: ${text}; at most ${limit}`);
  return kept;
};
