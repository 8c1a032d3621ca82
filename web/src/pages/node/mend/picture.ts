import { gapMsOf, LEARNT_RECORDS } from '@catchment/dashboard-view';
import type { Window } from '../../../charts/chart-window.ts';
import type { Mark } from '../../../charts/overlays.ts';
import type { Line } from '../../../data/records/records.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import { placeOf, type Records, type Work } from './records.ts';
import type { Mask } from './selections.ts';

export type MendData = ExploredData & { readonly marks: readonly Mark[] };

/** A picture has at most this many columns: each has up to four records of a line. */
const MOST_COLUMNS = 900;
/** The places of what is chosen have this colour, which reads well on light and on dark. */
const CHOSEN = '#d9642a';

type Parts = {
  readonly base: Records;
  readonly work: Work;
  readonly mask: Mask;
  readonly unit: string;
  readonly expectedIntervalSeconds: number | null;
};

/** Returns two lines as a chart of a width shows them: as it was loaded, and as it is to be; with what is chosen. */
export function pictureOf(
  { base, work, mask, unit, expectedIntervalSeconds }: Parts,
  window: Window,
  width: number,
): MendData {
  const columnMs = (window.end - window.start) / Math.min(Math.max(width, 1), MOST_COLUMNS);
  const gapMs = Math.max(gapMsOf(expectedIntervalSeconds, Array.from(base.times.slice(-LEARNT_RECORDS))), columnMs);
  const marks: Mark[] = [];
  let markedColumn = -1;
  for (let i = placeOf(work.times, window.start); i < mask.length && work.times[i]! <= window.end; i += 1) {
    if (!mask[i]) continue;
    const column = Math.floor((work.times[i]! - window.start) / columnMs);
    if (column === markedColumn) continue;
    markedColumn = column;
    const value = work.values[i]!;
    marks.push({ unit, ms: work.times[i]!, value: Number.isNaN(value) ? null : value, color: CHOSEN });
  }
  const lineOf = (all: Records, gone?: Uint8Array): Line => ({
    ...reduced(all, gone, window, columnMs),
    gapMs: Number.isFinite(gapMs) ? gapMs : null,
    qualities: new Map(),
    notes: new Map(),
  });
  return {
    start: window.start,
    end: window.end,
    series: [lineOf(base), lineOf(work, work.gone)],
    failures: new Map(),
    marks,
  };
}

/** Returns for each column the first, the lowest, the highest and the last record, and the nearest records beyond the window. */
export function reduced({ times, values }: Records, gone: Uint8Array | undefined, window: Window, columnMs: number) {
  const picked: number[] = [];
  let [first, low, high, last, column] = [-1, -1, -1, -1, Number.NaN];
  const flush = () => {
    if (first >= 0) picked.push(...[...new Set([first, low, high, last])].sort((a, b) => a - b));
  };
  const begin = Math.max(placeOf(times, window.start) - 1, 0);
  for (let i = begin; i < times.length; i += 1) {
    if (gone?.[i]) continue;
    const ofRecord = Math.floor((times[i]! - window.start) / columnMs);
    if (ofRecord !== column) {
      flush();
      [first, low, high, column] = [i, i, i, ofRecord];
    }
    last = i;
    // A record without a value breaks the line: it is kept as first or last of its column.
    if (!(values[i]! >= values[low]!)) low = Number.isNaN(values[i]!) ? low : i;
    if (!(values[i]! <= values[high]!)) high = Number.isNaN(values[i]!) ? high : i;
    if (times[i]! > window.end) break;
  }
  flush();
  return {
    times: picked.map((i) => times[i]!),
    values: picked.map((i) => (Number.isNaN(values[i]!) ? null : values[i]!)),
  };
}
