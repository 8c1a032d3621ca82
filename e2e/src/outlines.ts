import type { Api } from './api.ts';
import type { Read } from './read-records.ts';

const WIDTH = 600;

type Point = readonly [ms: number, value: number];

/**
 * Plainly returns, of each of `width` equal columns, the first, the last, the lowest and the highest point, of equal ones the earliest.
 * @param points ascending
 */
export function outlineOf(points: readonly Point[], startMs: number, endMs: number, width: number): Point[] {
  const spanMs = BigInt(Math.max(endMs - startMs, 1));
  const columnOf = ([ms]: Point) => Math.min(Number((BigInt(ms - startMs) * BigInt(width)) / spanMs), width - 1);
  return [...Map.groupBy(points, columnOf).values()].flatMap((column) => {
    const by = (isBetter: (a: number, b: number) => boolean) =>
      column.reduce((best, point) => (isBetter(point[1], best[1]) ? point : best));
    const kept = new Set([column[0], column.at(-1), by((a, b) => a < b), by((a, b) => a > b)]);
    return column.filter((point) => kept.has(point));
  });
}

/** Reads the points with a value that `reduce=M4` answers. */
export async function readOutline(
  api: Api,
  nodeId: string,
  startMs: number,
  endMs: number,
  width: number,
): Promise<Point[]> {
  const range = `startTime=${new Date(startMs).toISOString()}&endTime=${new Date(endMs).toISOString()}`;
  const path = `/nodes/${nodeId}/historic?${range}&renderType=VALUE&renderFormat=&reduce=M4&width=${width}`;
  const { status, json, text } = await api.get(path);
  if (status !== 200) throw new Error(text);
  const rows = json.data as { ts: string; f: { 0: { v?: number } } }[];
  return rows.flatMap(({ ts, f }): Point[] => (f[0].v === undefined ? [] : [[Date.parse(ts), f[0].v]]));
}

/**
 * Lists what `reduce=M4` answers of series of numbers otherwise than their records ask for. @param series ids by their
 * names
 */
export async function outlineDifferences(api: Api, series: ReadonlyMap<string, string>, read: Read): Promise<string[]> {
  const found: string[] = [];
  for (const [name, nodeId] of series) {
    const points = [...(read.get(name) ?? [])]
      .flatMap(([ms, { v }]): Point[] => (typeof v === 'number' ? [[ms, v]] : []))
      .sort(([a], [b]) => a - b);
    const [first, last] = [points[0], points.at(-1)];
    const isOfNumbers = [...(read.get(name)?.values() ?? [])].every(({ v }) => typeof v === 'number' || v == null);
    if (!first || !last || !isOfNumbers) continue;
    const expected = outlineOf(points, first[0], last[0], WIDTH);
    const got = await readOutline(api, nodeId, first[0], last[0], WIDTH);
    const at = expected.findIndex(([ms, value], n) => got[n]?.[0] !== ms || got[n]?.[1] !== value);
    if (at >= 0 || got.length !== expected.length)
      found.push(`${name}: of ${expected.length} outstanding records, number ${at} is ${got[at]}, not ${expected[at]}`);
  }
  return found;
}
