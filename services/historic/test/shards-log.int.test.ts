// While one of several InfluxDBs is away, what waits for it takes half of the ingest log at most (docs/operations/shards.md).
import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { amount, limitStream, until } from '@catchment/testkit';
import { backlogOfShards } from '../src/shards/bus/writer-backlog.ts';
import { type Historic, jts, SERVICE, startHistoric } from './fixture.ts';

const T = Date.UTC(2024, 0, 1);
const OTHER = 's2';
const MIB = 1024 * 1024;
const LOG_BYTES = 16 * MIB;
/** Size of one write, in few records. */
const WRITE = { records: 10, characters: 4_000 };
const WRITE_BYTES = WRITE.records * WRITE.characters;
/** So many rounds of two writes take a quarter of the log. */
const QUARTER = Math.floor(LOG_BYTES / 4 / (2 * WRITE_BYTES));
const LOOK_MS = 100;

let h: Historic;
beforeAll(async () => {
  h = await startHistoric(undefined, { others: 1, logLookMs: LOOK_MS });
  await limitStream(h.nats.url, `${h.nats.prefix}_INGEST`, () => LOG_BYTES);
  await until(async () => (await h.shards.administration.list(SERVICE)).shards[1]?.isActive === true);
  // The other reader of the log is of another service.
  h.bus.readPartitions('alarms', async () => {});
});
afterAll(() => h?.close());

async function textAt(shard: string) {
  const [ownerId, workspaceId] = [newObjectId(), newObjectId()];
  const own = { ownerId, workspaceId };
  await h.nodeChanged(
    NodeConfig.fromPartial({
      ...own,
      nodeId: workspaceId,
      sourceId: workspaceId,
      revision: 1,
      class: 'Workspace',
      name: 'W',
    }),
  );
  await h.shards.administration.assign(SERVICE, workspaceId, shard);
  const node = h.parameter({ valueType: ValueType.VALUE_TYPE_TEXT }, own);
  await h.nodeChanged(node);
  await h.idle();
  return node;
}
type Node = Awaited<ReturnType<typeof textAt>>;

/** Writes its records of a number. @returns the reason where it is refused */
const write = (node: Node, number: number): Promise<string | undefined> =>
  h
    .write(
      node,
      jts(
        Array.from({ length: WRITE.records }, (_, n) => [
          T + (number * WRITE.records + n) * 1_000,
          { v: `${number} `.padEnd(WRITE.characters, 'x') },
        ]),
      ),
    )
    .then(
      () => undefined,
      ({ reason }: { reason: string }) => reason,
    );

/** Numbers of writes all of whose records can be read. */
async function storedNumbers(node: Node): Promise<number[]> {
  const counts = new Map<number, number>();
  for (let from = T; ; ) {
    const range = { startTime: new Date(from).toISOString(), endTime: new Date(T + 1e9).toISOString(), limit: '500' };
    const { data } = JSON.parse((await h.readText(node, range)).text) as {
      data: { ts: string; f: { 0: { v: string } } }[];
    };
    for (const { f } of data) {
      const number = Number.parseInt(f[0].v, 10);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    if (data.length < 500) break;
    from = Date.parse(data.at(-1)?.ts ?? '') + 1;
  }
  return [...counts].flatMap(([number, count]) => (count === WRITE.records ? [number] : []));
}

/**
 * Waits until a shard has stored all, and the room of the log is known as it is then: the first look finds what was written, and removes
 * what nobody needs, the second one finds the rest, and has ended when the third one begins.
 */
async function looked(shard: string): Promise<void> {
  await until(async () => (await backlogOfShards(h.bus)).get(shard) === 0, { what: `${shard} has stored all` });
  const looks = vi.spyOn(h.bus, 'room');
  try {
    await until(() => looks.mock.calls.length >= 3, { what: 'the log is looked at' });
  } finally {
    looks.mockRestore();
  }
}

/** An InfluxDB that takes nothing. @returns it is back */
function away(shard: string): () => void {
  const { connection } = h.shards.router.store(shard);
  const write = connection.write.bind(connection);
  connection.write = () => Promise.reject(unavailable('INFLUX_UNAVAILABLE'));
  return () => {
    connection.write = write;
  };
}

test.each(
  [
    ['a further InfluxDB', OTHER, 'default'],
    ['the first InfluxDB', 'default', OTHER],
  ].slice(0, amount(1, 2)) as [string, string, string][],
)(
  '%s is away: its writes are refused at half of the log, others go on through several logs, and nothing accepted is lost',
  async (_what, gone, there) => {
    const [waiting, going] = [await textAt(gone), await textAt(there)];
    const back = away(gone);
    const accepted: number[] = [];
    const refused: string[] = [];
    const rounds = Math.ceil((2.5 * LOG_BYTES) / WRITE_BYTES);
    for (let number = 0; number < rounds; number += 1) {
      const [refusal, other] = [await write(waiting, number), await write(going, number)];
      if (refusal === undefined) accepted.push(number);
      else refused.push(refusal);
      expect(other).toBeUndefined();
      // However fast writes are, between two looks they take a part of the log.
      if (number % QUARTER === QUARTER - 1) await looked(there);
    }
    expect([...new Set(refused)]).toEqual(['SHARD_LOG_FULL']);
    // The log is about half full.
    expect((accepted.length * WRITE_BYTES) / LOG_BYTES).toBeGreaterThan(0.4);
    expect((accepted.length * WRITE_BYTES) / LOG_BYTES).toBeLessThan(0.9);
    await until(async () => (await storedNumbers(going)).length === rounds, { everyMs: 500 });
    back();
    await until(async () => (await storedNumbers(waiting)).length >= accepted.length, {
      everyMs: 1_000,
      what: 'every accepted record is stored',
    });
    expect(await storedNumbers(waiting)).toEqual(accepted);
    await until(async () => (await write(waiting, rounds)) === undefined, { what: 'its writes are accepted again' });
    await h.idle();
    // The place of all writers is known again, though most of the messages were taken away.
    const { settled } = (
      await h.database.query<{ settled: boolean }>(
        'SELECT bool_and(applied = newest) AS settled FROM (SELECT applied, max(applied) OVER (PARTITION BY partition) AS newest FROM shard_claims) c',
      )
    ).rows[0] as { settled: boolean };
    expect(settled).toBe(true);
  },
);
