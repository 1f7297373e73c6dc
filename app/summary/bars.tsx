/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly count: number;
}

const WIDTH = 480;
const LABEL_WIDTH = 72;
const VALUE_WIDTH = 92;
const STEP = 26;
const THICKNESS = 16;

/** Horizontal bars with their counts and shares. */
export function Bars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const shares = bars.map(({ count }) => `${count} (${percent(count, total)})`);
  const spoken = bars.map(({ label }, index) => `${label}: ${shares[index]}`).join("; ");
  return (
    <svg
      class="bars"
      role="img"
      aria-label={`${title}. ${spoken}.`}
      viewBox={`0 0 ${WIDTH} ${bars.length * STEP}`}
    >
      {bars.map(({ label, count }, index) => {
        const middle = index * STEP + STEP / 2;
        const length = room * count / most;
        return (
          <g key={label}>
            <text class="bar-label" x={LABEL_WIDTH - 10} y={middle}>{label}</text>
            <rect
              x={LABEL_WIDTH}
              y={middle - THICKNESS / 2}
              width={length}
              height={THICKNESS}
              rx={2}
            />
            <text x={LABEL_WIDTH + length + 8} y={middle}>{shares[index]}</text>
          </g>
        );
      })}
    </svg>
  );
}

function percent(count: number, total: number): string {
  return total === 0 ? "0 %" : `${(100 * count / total).toFixed(1)} %`;
}
