import type { Paper } from '../../../charts/plot/plot.ts';
import { type FormState, sideOf } from './list.ts';
import { niceStep } from './steps.ts';

/** The drawn part of the chart has these edges, in pixels of the page. */
export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
/** The ends of its axis. */
export type Scale = { readonly low: number; readonly high: number };

/** The keyboard crosses the axis in so many steps. */
const KEY_STEPS = 100;
/** An axis has at least so many steps of the pointer. */
const LEAST_STEPS = 50;

export const boxOf = ({ ratio, box }: Paper): Box => ({
  left: Math.round(box.left / ratio),
  top: Math.round(box.top / ratio),
  right: Math.round(box.right / ratio),
  bottom: Math.round(box.bottom / ratio),
});

/** Returns the ends of the axis of a unit; undefined where it has none yet. */
export function scaleOf({ box, valueAt }: Paper, unit: string): Scale | undefined {
  const [low, high] = [valueAt(unit, box.bottom), valueAt(unit, box.top)];
  return low !== undefined && high !== undefined && Number.isFinite(low) && high > low ? { low, high } : undefined;
}

const heightOf = ({ top, bottom }: Box): number => bottom - top;
export const inside = (y: number, { top, bottom }: Box): number => Math.min(Math.max(y, top), bottom);

export const yOf = (value: number, box: Box, { low, high }: Scale): number =>
  box.bottom - ((value - low) / (high - low)) * heightOf(box);

/** Returns the value at a height of the page, at most an end of the axis. */
export const valueAt = (y: number, box: Box, { low, high }: Scale): number =>
  low + ((box.bottom - inside(y, box)) / heightOf(box)) * (high - low);

/** Returns the step of the keyboard; 1 while there is no axis. */
export const keyStep = (scale: Scale | undefined): number =>
  scale ? niceStep((scale.high - scale.low) / KEY_STEPS) : 1;

/** The pointer steps by about a pixel. */
export const pointerStep = (box: Box, { low, high }: Scale): number =>
  niceStep((high - low) / Math.max(heightOf(box), LEAST_STEPS));

export type Line = { readonly index: number; readonly threshold: number; readonly y: number };

/** Finds where each state of a range lies in the chart: from its threshold to the next one away from NORMAL, or to the edge. */
export function bandsOf(states: readonly FormState[], statesType: unknown, lines: readonly Line[], box: Box) {
  return lines.flatMap(({ index, y }, i) => {
    const side = sideOf(states, statesType, index);
    if (side === 0) return [];
    const next = lines[i + side];
    const edge = side > 0 ? box.top : box.bottom;
    const isLast = next === undefined || sideOf(states, statesType, next.index) !== side;
    const [from, to] = [inside(y, box), inside(isLast ? edge : next.y, box)];
    const height = Math.abs(from - to);
    return height < 1 ? [] : [{ index, top: Math.min(from, to), height }];
  });
}
