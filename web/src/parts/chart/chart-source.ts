import type { ChartData } from '@catchment/dashboard-view';
import type { Window } from '../../charts/chart-window.ts';
import { shiftMs } from '../../charts/ranges.ts';
import { type Line, lineOf, readLine } from '../../data/records/records.ts';
import type { ChartSeries } from './series.ts';

/** A chart of the console shows this: with the codes and notes of records. */
export type ExploredData = Omit<ChartData, 'series'> & {
  readonly series: readonly Line[];
  /** These keys of series could not be read, and why. */
  readonly failures: ReadonlyMap<string, unknown>;
};

const HOUR = 3_600_000;

/** All there is of some series, up to now at least: the period of a chart. */
export function wholeOf(series: readonly ChartSeries[], nowMs: number): Window {
  const starts = series.flatMap(({ source }) => source.oldestMs ?? []);
  const ends = series.flatMap(({ source }) => source.newestMs ?? []);
  const end = Math.max(nowMs, ...ends);
  return { start: Math.min(...starts, end - HOUR), end };
}

/** Reads all series of a chart. The first one must be there; another that cannot be read is left empty. */
export async function readChart(
  series: readonly ChartSeries[],
  window: Window,
  width: number,
  signal: AbortSignal,
): Promise<ExploredData> {
  const failures = new Map<string, unknown>();
  const lines = await Promise.all(
    series.map(async ({ key, source, shift, drawn }, place) => {
      const by = shift ? shiftMs(window, shift) : 0;
      const moment = { start: window.start - by, end: window.end - by };
      try {
        return moved(await readLine(source, moment, width, drawn(moment, width), signal), by);
      } catch (error) {
        if (place === 0 || signal.aborted) throw error;
        failures.set(key, error);
        return lineOf([], null);
      }
    }),
  );
  return { start: window.start, end: window.end, series: lines, failures };
}

const moved = (line: Line, byMs: number): Line =>
  byMs === 0 ? line : { ...line, times: line.times.map((ms) => ms + byMs) };
