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

/** Where a name is written: its middle, and whether so far off that it needs a line to its point. */
export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly needsLeader: boolean;
}

/** Radius within which no other name may come to a point. */
const POINT_RADIUS = 4;
/** Distances tried, nearest first. */
const DISTANCES = [3, 8, 14, 21, 29, 38, 48];
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
    let best: { readonly box: Box; readonly distance: number; readonly cost: number } | undefined;
    for (const { x, y, distance } of candidates(point, width, height)) {
      const box = boxAround(x, y, width, height);
      const cost = taken.reduce((sum, other) => sum + overlap(box, other), outside(box, bounds));
      if (best === undefined || cost < best.cost) best = { box, distance, cost };
      if (cost === 0) break;
    }
    const { box, distance } = best!;
    taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return { x, y, width, needsLeader: distance > DISTANCES[0]! };
  });
}

function* candidates(point: NamedPoint, width: number, height: number) {
  for (const distance of DISTANCES) {
    for (const [dx, dy] of DIRECTIONS) {
      const x = point.x + dx * (POINT_RADIUS + distance + width / 2);
      const y = point.y + dy * (POINT_RADIUS + distance + height / 2);
      yield { x, y, distance };
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
