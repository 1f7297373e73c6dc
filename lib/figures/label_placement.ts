import { textWidth } from "./fonts.ts";

/** A point in the plane that wants its name written near it; all lengths in points. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** A rectangle by its edges. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a name is written: its middle, and whether it needs a line to its point. */
export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly needsLeader: boolean;
}

/** No other name may come nearer to a point. */
const POINT_RADIUS = 3.5;
/** Distances tried, nearest first. */
const DISTANCES = [1.5, 5, 9, 14, 20, 27, 35, 44];
/** Directions tried at each: right, left, above, below, then the diagonals. */
const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]] as const;

/**
 * Finds each name, in the order given, the nearest free place inside `bounds`: free of points and of
 * the names placed before. Where there is none it takes the place that overlaps least.
 */
export function placeLabels(
  points: readonly NamedPoint[],
  bounds: Box,
  size: number,
): PlacedLabel[] {
  const taken: Box[] = points.map(({ x, y }) =>
    boxAround(x, y, 2 * POINT_RADIUS, 2 * POINT_RADIUS)
  );
  return points.map((point) => {
    const [width, height] = [textWidth(point.label, { size }), size * 1.1];
    let best: { readonly box: Box; readonly cost: number } | undefined;
    for (const { x, y } of candidates(point, width, height)) {
      const box = boxAround(x, y, width, height);
      const cost = taken.reduce((sum, other) => sum + overlap(box, other), outside(box, bounds));
      if (best === undefined || cost < best.cost) best = { box, cost };
      if (cost === 0) break;
    }
    const { box } = best!;
    taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return { x, y, width, needsLeader: isAmbiguous(box, point, points) };
  });
}

/** Far from its point, or about as near to another one. */
function isAmbiguous(box: Box, point: NamedPoint, points: readonly NamedPoint[]): boolean {
  const own = gap(box, point);
  const others = points.filter((other) => other !== point).map((other) => gap(box, other));
  return own > POINT_RADIUS + DISTANCES[0]! + 1 || Math.min(...others) < 1.5 * own;
}

/** Distance from a point to the nearest place of a box; 0 inside. */
function gap(box: Box, { x, y }: NamedPoint): number {
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  return Math.hypot(dx, dy);
}

function* candidates(point: NamedPoint, width: number, height: number) {
  for (const distance of DISTANCES) {
    for (const [dx, dy] of DIRECTIONS) {
      // On a diagonal the name's corner, not its middle, is to be that far away.
      const reach = (POINT_RADIUS + distance) * (dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1);
      const x = point.x + dx * (reach + width / 2);
      const y = point.y + dy * (reach + height / 2);
      yield { x, y };
    }
  }
}

function boxAround(x: number, y: number, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** Shared area. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** What sticks out of the bounds, counted heavily: a cut name is worse than a crowded one. */
function outside(box: Box, bounds: Box): number {
  const beyond = Math.max(0, bounds.left - box.left) + Math.max(0, box.right - bounds.right) +
    Math.max(0, bounds.top - box.top) + Math.max(0, box.bottom - bounds.bottom);
  return 1000 * beyond;
}
