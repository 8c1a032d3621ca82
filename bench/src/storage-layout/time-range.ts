import type { LayoutServer } from './layout-server.ts';
import { nodeId } from './measure.ts';
import { printTable } from './print.ts';

const WRITES: readonly (readonly [string, number])[] = [
  ['1677-09-21T00:00 (before the first nanosecond)', Date.UTC(1677, 8, 21)],
  ['1677-09-22T00:00', Date.UTC(1677, 8, 22)],
  ['1800-01-01T00:00 (first of the API)', Date.UTC(1800, 0, 1)],
  ['2262-04-10T23:59:59.999 (last that is taken)', Date.UTC(2262, 3, 11) - 1],
  ['2262-04-12T00:00', Date.UTC(2262, 3, 12)],
  ['9998-12-31T00:00 (last day of the API)', Date.UTC(9998, 11, 31)],
];

/** Answers of InfluxDB at the ends of its nanoseconds, alone and among good records. */
export async function measureTimeRange(server: LayoutServer): Promise<void> {
  const database = await server.database();
  const rows = [];
  for (const [index, [name, ms]] of WRITES.entries()) {
    const series = nodeId(index);
    const { status, text } = await server.tryWrite(database, `h,s=${series} v=1,p=9i ${ms}`);
    const select = `SELECT v FROM h WHERE s = '${series}' AND time >= -9223372036854775806 AND time <= 9223372036854775806`;
    const read = await server.query(database, select).then(
      (found) => (found[0] ? (Number(found[0][0]) === ms ? 'same time' : `at ${found[0][0]}`) : 'nothing'),
      (error: Error) => error.message,
    );
    rows.push([name, status, message(text), read]);
  }
  const good = `h,s=${nodeId(99)} v=1,p=9i ${Date.UTC(2025, 0, 1)}`;
  const mixed = await server.tryWrite(database, `${good}\nh,s=${nodeId(99)} v=2,p=9i ${Date.UTC(2262, 3, 12)}`);
  const stored = await server.query(database, `SELECT v FROM h WHERE s = '${nodeId(99)}'`);
  rows.push(['2262-04-12 beside a good record', mixed.status, message(mixed.text), `${stored.length} of 2 stored`]);
  for (const ms of [Date.UTC(2262, 3, 12), Date.UTC(1677, 8, 20)]) {
    const answer = await server
      .query(database, `SELECT v FROM h WHERE s = '${nodeId(99)}' AND time ${ms > 0 ? '<=' : '>='} ${ms}ms`)
      .then(
        (found) => `${found.length} of 1 found`,
        (error: Error) => error.message,
      );
    rows.push([`as a bound of a query: ${new Date(ms).toISOString()}`, '', '', answer]);
  }
  printTable('f) Times at the ends of 64-bit nanoseconds', ['time', 'status', 'InfluxDB says', 'read back'], rows);
  await server.drop(database);
}

const message = (text: string): string => (text ? ((JSON.parse(text) as { error?: string }).error ?? text) : '');
