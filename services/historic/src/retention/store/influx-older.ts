import { type InfluxConnection, inChunks, MEASUREMENT, ofAnySeries, seriesOf, whole } from '../../influx/index.ts';

const CHUNKS = inChunks(1_000);

/** Returns those of the series that have any record, live or deleted, before a time in Unix ms. @param nodeIds a hundred at most */
export async function olderAmong(
  influx: InfluxConnection,
  nodeIds: readonly string[],
  beforeMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const statement =
    `SELECT "p", "v" FROM "${MEASUREMENT}" WHERE ${ofAnySeries(nodeIds)} AND time < ${whole(beforeMs)}ms` +
    ' GROUP BY "s" ORDER BY time ASC LIMIT 1';
  const older: string[] = [];
  for await (const chunk of seriesOf(influx.query(statement, CHUNKS, signal)))
    for (const { tags, values } of chunk) if (tags?.s && values?.[0]) older.push(tags.s);
  return older;
}
