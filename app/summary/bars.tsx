/** One bar of a chart. */
export interface Bar {
  readonly label: string;
  readonly count: number;
}

/** Room for the longest bar, in the units of the drawing, of which a text is 13 high. */
const ROOM = 316;
const VALUE_WIDTH = 92;
const GAP = 10;
/** A wide Latin letter, half of a Chinese one. */
const LETTER_WIDTH = 8;
/** Pixels for a unit where the screen has room: the same in all charts, so that texts are too. */
const SCALE = 1.25;
/** Letters that a label shows at most; it is said in full. */
const MOST_LETTERS = 32;
const STEP = 26;
const THICKNESS = 16;

/** Horizontal bars with their counts and shares. */
export function Bars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const labels = bars.map(({ label }) => shortened(label));
  const labelWidth = GAP + LETTER_WIDTH * Math.max(5, ...labels.map(lettersOf));
  const width = labelWidth + ROOM + VALUE_WIDTH;
  const shares = bars.map(({ count }) => `${count} (${percent(count, total)})`);
  const spoken = bars.map(({ label }, index) => `${label}: ${shares[index]}`).join("; ");
  return (
    <svg
      class="bars"
      role="img"
      aria-label={`${title}. ${spoken}.`}
      viewBox={`0 0 ${width} ${bars.length * STEP}`}
      width={SCALE * width}
    >
      {bars.map(({ label, count }, index) => {
        const middle = index * STEP + STEP / 2;
        const length = ROOM * count / most;
        return (
          <g key={label}>
            <text class="bar-label" x={labelWidth - GAP} y={middle}>{labels[index]}</text>
            <rect
              x={labelWidth}
              y={middle - THICKNESS / 2}
              width={length}
              height={THICKNESS}
              rx={2}
            />
            <text x={labelWidth + length + 8} y={middle}>{shares[index]}</text>
          </g>
        );
      })}
    </svg>
  );
}

function shortened(label: string): string {
  const letters = [...label];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : label;
}

/** How wide a label is, counted in Latin letters. */
function lettersOf(label: string): number {
  return [...label].reduce((sum, letter) => sum + (letter >= "\u1100" ? 2 : 1), 0);
}

function percent(count: number, total: number): string {
  return total === 0 ? "0 %" : `${(100 * count / total).toFixed(1)} %`;
}
