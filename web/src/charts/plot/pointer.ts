import type uPlot from 'uplot';
import type { Window } from '../chart-window.ts';
import { INSTANTS } from './axes.ts';
import type { Drawn, Readings } from './drawn.ts';

/** A record that is so near to the pointer, in pixels, is read wherever it stands. */
const NEAR = 12;

/** Marks the records that a pointer reads, and says which they are. */
export function pointer(drawn: Drawn, onCursor: (readings: Readings | undefined) => void) {
  let readings: Readings | undefined;

  /** Places the marker of a series on the record that is read out. uPlot asks for the time first, then for each series. */
  function markedAt(self: uPlot, seriesIndex: number, hovered: number, ms: number): number {
    if (seriesIndex === 0) {
      const nearMs = self.posToVal(NEAR, INSTANTS) - self.posToVal(0, INSTANTS);
      readings = drawn.readingsAt(ms, nearMs);
      return hovered;
    }
    const reading = readings?.of[seriesIndex - 1];
    // uPlot takes null for no marker, its types do not say so.
    return (reading === undefined ? null : indexOf(self.data[0], reading.ms)) as number;
  }

  const cursor: uPlot.Cursor = {
    dataIdx: markedAt,
    // A pointer with a key moves the chart, and chooses nothing.
    bind: {
      mousedown: (_, __, handler) => (event) => (event.shiftKey ? null : handler(event)),
      dblclick: () => () => null,
    },
  };
  const moved = (self: uPlot): void => {
    if ((self.cursor.left ?? -1) < 0) readings = undefined;
    onCursor(readings);
  };
  return { cursor, moved };
}

/** Hands over the part that was chosen by dragging. */
export function selected(self: uPlot, onSelect: ((window: Window) => void) | undefined): void {
  const { left, width } = self.select;
  if (width < 4 || onSelect === undefined) return;
  const chosen = { start: self.posToVal(left, INSTANTS), end: self.posToVal(left + width, INSTANTS) };
  self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSelect(chosen);
}

/** Returns the place of an instant among ascending ones. */
function indexOf(times: ArrayLike<number>, ms: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
