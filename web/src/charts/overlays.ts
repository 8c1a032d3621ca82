import type { Paper } from './plot/plot.ts';

/** A line goes across a chart, such as where a state begins. */
export type Threshold = {
  readonly unit: string;
  readonly value: number;
  readonly name: string;
  readonly isAlarm: boolean;
};
/** A mark shows a record that is not as others: of a quality, or with a note. */
export type Mark = {
  readonly unit: string;
  readonly ms: number;
  /** Null means a record without a value, marked at the bottom. */
  readonly value: number | null;
  /** `#rrggbb`; undefined: a note. */
  readonly color: string | undefined;
};

const FONT_SIZE = 11;
const DASH = [5, 4];
/** Names nearer to each other, in pixels, would stand on each other. */
const LINE_HEIGHT = 13;
const RADIUS = 3;
const FLAG = 5;

/** Returns names of thresholds that are all but on each other: the first of them is written. */
export function labelled(places: readonly number[], least: number): boolean[] {
  const taken: number[] = [];
  return places.map((y) => {
    if (taken.some((other) => Math.abs(other - y) < least)) return false;
    taken.push(y);
    return true;
  });
}

/** Dashed lines with their names; those outside of the axis are left out. */
export function drawThresholds(paper: Paper, thresholds: readonly Threshold[], alarmColor: string): void {
  const { ctx, ratio, box, ink } = paper;
  const inside = thresholds.flatMap((threshold) => {
    const y = paper.y(threshold.unit, threshold.value);
    return y === undefined || y < box.top || y > box.bottom ? [] : [{ ...threshold, y }];
  });
  const hasName = labelled(
    inside.map(({ y }) => y),
    LINE_HEIGHT * ratio,
  );
  ctx.save();
  ctx.lineWidth = ratio;
  ctx.setLineDash(DASH.map((length) => length * ratio));
  ctx.font = `600 ${FONT_SIZE * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  for (const [i, { name, isAlarm, y }] of inside.entries()) {
    ctx.strokeStyle = isAlarm ? alarmColor : ink;
    ctx.fillStyle = ctx.strokeStyle;
    ctx.beginPath();
    ctx.moveTo(box.left, y);
    ctx.lineTo(box.right, y);
    ctx.stroke();
    // The text stands above the line, or below it at the upper edge.
    const isHigh = y - box.top < LINE_HEIGHT * ratio;
    if (hasName[i]) ctx.fillText(name, box.right - 4 * ratio, isHigh ? y + LINE_HEIGHT * ratio : y - 2 * ratio);
  }
  ctx.restore();
}

/** Dots of the colours of qualities, and flags at the top where there are notes. */
export function drawMarks(paper: Paper, marks: readonly Mark[], noteColor: string): void {
  const { ctx, ratio, box, window } = paper;
  ctx.save();
  for (const { unit, ms, value, color } of marks) {
    if (ms < window.start || ms > window.end) continue;
    const x = paper.x(ms);
    if (color === undefined) {
      ctx.fillStyle = noteColor;
      ctx.beginPath();
      ctx.moveTo(x - FLAG * ratio, box.top);
      ctx.lineTo(x + FLAG * ratio, box.top);
      ctx.lineTo(x, box.top + FLAG * 1.6 * ratio);
      ctx.fill();
      continue;
    }
    const y = value === null ? box.bottom - RADIUS * ratio : paper.y(unit, value);
    if (y === undefined || y < box.top || y > box.bottom) continue;
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.arc(x, y, RADIUS * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
