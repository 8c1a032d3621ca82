import { WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { DomainError } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { bitsOf, type Column, decodeBatch, encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { columnOf, NOTIFY_NAMES, randomFrom, randomWrite, SEED, StateModel } from '@catchment/testkit/write-model';
import { changeMessages } from '../src/bus/messages.ts';
import { PgAlarmStore } from '../src/store/pg-alarm-store.ts';
import { applyLog } from '../src/usecases/apply-log.ts';
import { resumeReady } from '../src/usecases/resume-series.ts';
import { takeVerdicts } from '../src/usecases/take-verdicts.ts';
import { AHEAD, column, NORMAL, NOTIFY, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const { WRITE_MODE_MERGE_PRESERVE_EXISTING: PRESERVE, WRITE_MODE_MERGE_FAIL_ON_EXISTING: FAIL } = WriteMode;
const STATES = [NORMAL, { name: 'HIGH', threshold: 50 }];
/** These modes depend on records that were there. */
const ASKING = /PRESERVE|UPDATE|FAIL/;
const SIGNAL = () => AbortSignal.timeout(HANGS_AFTER_MS);

function heard(states = STATES): NodeConfig {
  const node = parameter(states);
  service.peers.nodes.set(node.nodeId, node);
  service.peers.nodes.set(node.sourceId, source(node, true));
  return node;
}
const reported = (node: NodeConfig) =>
  service.reported(node).map((text) => text.replace(/^\d+/, (ms) => `${Number(ms) - NOW}`).replace(/ NONE$/, ''));
/** Historic wrote these records of a node's column, the entry-th of its message. */
const wrote = ({ nodeId, ownerId }: NodeConfig, logSequence: number, records: readonly number[], entry = 0) => ({
  logSequence,
  columnsSettled: [{ nodeId, ownerId, entry, written: Buffer.from(bitsOf(records, 9)) }],
});
const waitingRows = async (node: NodeConfig) =>
  (await service.database.query('SELECT 1 FROM waiting_entries WHERE node_id = $1', [node.nodeId])).rowCount;

test('a series waits until historic says what it wrote; others, and other columns, go on', async () => {
  const [node, other] = [heard(), heard()];
  await service.write(column(node, [[NOW, 10]]), column(other, [[NOW, 10]]));
  const first = await service.write(
    column(other, [[NOW + 1, 60]]),
    column(
      node,
      [
        [NOW, 99],
        [NOW + 1, 60],
      ],
      { mode: PRESERVE },
    ),
  );
  const second = await service.write(column(node, [[NOW + 2, 70]], { mode: FAIL }));
  await service.write(column(node, [[NOW + 3, 20]]), column(other, [[NOW + 3, 20]]));
  expect([reported(node), reported(other)]).toEqual([[], ['1 NORMAL to HIGH', '3 HIGH to NORMAL']]);
  // It may be said twice.
  await service.applied(wrote(node, first, [1], 1), wrote(node, first, [1], 1));
  expect(reported(node)).toEqual(['1 NORMAL to HIGH']);
  expect(await waitingRows(node)).toBe(2);
  await service.applied(wrote(node, second, []));
  expect(reported(node)).toEqual(['1 NORMAL to HIGH', '3 HIGH to NORMAL']);
  expect(await waitingRows(node)).toBe(0);
});

test('a column that failed changes no state', async () => {
  const node = heard();
  const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }));
  await service.applied(wrote(node, sequence, []));
  expect([reported(node), service.states(node), await waitingRows(node)]).toEqual([[], [], 0]);
});

test('a series with NORMAL only waits for nothing, and what is said of it is not kept', async () => {
  const node = heard([NORMAL]);
  const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }));
  await service.applied(wrote(node, sequence, [0]), wrote(node, sequence + 1, [0]));
  expect([service.states(node), await waitingRows(node)]).toEqual([['NORMAL'], 0]);
  // Historic has reported this message already.
  await service.write(column(node, [[NOW + 1, 60]], { mode: FAIL }));
  expect([service.states(node), await waitingRows(node)]).toEqual([['NORMAL'], 0]);
});

test('all records of a series are deleted behind a write that waits', async () => {
  const node = heard();
  const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }));
  const { nodeId, ownerId, workspaceId, sourceId } = node;
  const series = { nodeId, ownerId, workspaceId, sourceId, valueType: 1, timeMs: NOW, username: 'jo' } as const;
  await service.publish([{ kind: 'seriesDelete', seriesDelete: { ...series, recomputing: false } }]);
  await service.idle();
  expect(service.states(node)).toEqual([]);
  await service.applied(wrote(node, sequence, [0]));
  expect([reported(node), service.states(node)]).toEqual([['0 NORMAL to HIGH'], []]);
});

test('a column that spans messages is settled by the entry of its last part', async () => {
  const node = heard();
  const records = Array.from({ length: 3_000 }, (_, n): [number, number] => [NOW + n, n === 2_000 ? 60 : 10]);
  const written = column(node, records, { mode: PRESERVE });
  const messages = encodeEntries([{ kind: 'column', column: written }], 16_384, newObjectId);
  for (const [n, data] of messages.entries())
    await applyLog(service, [{ partition: 90, sequence: n + 1, data, timeMs: NOW }], SIGNAL());
  expect(await waitingRows(node)).toBe(1);
  const { nodeId, ownerId } = node;
  const entry = decodeBatch(messages.at(-1) ?? new Uint8Array()).length - 1;
  const columns = [{ nodeId, ownerId, entry, written: Buffer.from(bitsOf([1_999, 2_000, 2_001], 3_000)) }];
  await takeVerdicts(service, 90, [{ sequence: messages.length, settled: messages.length, columns }], SIGNAL());
  await service.idle();
  expect(reported(node)).toEqual(['2000 NORMAL to HIGH', '2001 HIGH to NORMAL']);
});

test('what historic has passed over without a word counts as not written; what of it is there is found by a check', async () => {
  const node = heard();
  const sequence = await service.write(
    column(
      node,
      [
        [NOW, 60],
        [NOW + 1, 10],
      ],
      { mode: PRESERVE },
    ),
  );
  service.peers.records.set(node.nodeId, [
    [NOW + 1, 90, undefined, AHEAD],
    [NOW, 60, undefined, AHEAD],
  ]);
  await service.resume();
  expect(reported(node)).toEqual([]);
  // This message was put aside when a part of it was stored.
  await service.applied({ logSequence: sequence });
  await service.resume();
  expect([reported(node), await waitingRows(node)]).toEqual([[], 0]);
  await service.judge();
  expect(service.states(node)).toEqual(['HIGH']);
  service.peers.records.set(node.nodeId, [[NOW, 60]]);
  const next = await service.write(column(node, [[NOW + 2, 10]], { mode: PRESERVE }), column(node, [[NOW + 3, 20]]));
  await service.applied({ logSequence: next + 1 });
  await service.resume();
  // The entry behind it goes on.
  expect(reported(node).at(-1)).toBe('3 HIGH to NORMAL');
  // Historic was faster than the log's reader.
  await service.write(column(node, [[NOW + 4, 60]], { mode: PRESERVE }));
  await service.resume();
  expect([reported(node).at(-1), await waitingRows(node)]).toEqual(['3 HIGH to NORMAL', 0]);
});

test('what historic has passed over goes on after a restart, though nothing more is written', async () => {
  const node = heard();
  const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }), column(node, [[NOW + 1, 60]]));
  await service.applied({ logSequence: sequence });
  const store = new PgAlarmStore(service.database, changeMessages(newObjectId));
  await resumeReady({ ...service, store }, SIGNAL());
  await service.idle();
  expect([reported(node), await waitingRows(node)]).toEqual([['1 NORMAL to HIGH'], 0]);
});

test('a removal and what fills it are one change, also where the limit of a message is between them', async () => {
  const node = heard();
  await service.write(column(node, [[NOW, 60]]));
  const filler = Array.from({ length: 400 }, (_, n): [number, number] => [NOW - n, 70]).toReversed();
  const removal = column(node, [[NOW, null]], { mode: WriteMode.WRITE_MODE_DELETE_RANGE });
  const entries = [removal, column(node, filler)].map((column): LogEntry => ({ kind: 'column', column }));
  expect(encodeEntries(entries, 4_000, newObjectId).length).toBeGreaterThan(1);
  await service.publish(entries, 4_000);
  await service.idle();
  expect(reported(node)).toEqual(['0 NORMAL to HIGH']);
});

test('a series that has waited long goes on in portions, in order', async () => {
  const node = heard();
  const apply = (sequence: number, column: Column) => {
    const [data = new Uint8Array()] = encodeEntries([{ kind: 'column', column }], 1e6, newObjectId);
    return applyLog(service, [{ partition: 91, sequence, data, timeMs: NOW }], SIGNAL());
  };
  await apply(1, column(node, [[NOW, 10]], { mode: FAIL }));
  for (let n = 1; n <= 120; n += 1) await apply(n + 1, column(node, [[NOW + n, n % 2 === 0 ? 10 : 60]]));
  expect(await waitingRows(node)).toBe(121);
  const { nodeId, ownerId } = node;
  const columns = [{ nodeId, ownerId, entry: 0, written: Buffer.of(1) }];
  await takeVerdicts(service, 91, [{ sequence: 1, settled: 1, columns }], SIGNAL());
  expect(await waitingRows(node)).toBe(0);
  await service.idle();
  const expected = Array.from(
    { length: 120 },
    (_, n) => `${n + 1} ${n % 2 === 0 ? 'NORMAL to HIGH' : 'HIGH to NORMAL'}`,
  );
  expect(reported(node)).toEqual(expected);
});

test('a series that has waited long goes on in a few transactions, so that it is through before more has come', async () => {
  const node = heard();
  const from = await service.write(column(node, [[NOW, 10]], { mode: FAIL }));
  const entry = (n: number) =>
    encodeEntries([{ kind: 'column', column: column(node, [[NOW + n, 10]]) }], 1e6, newObjectId)[0];
  const data = Array.from({ length: 12_000 }, (_, n) => Buffer.from(entry(n + 1) ?? []));
  await service.database.query(
    `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, data, needs_verdict)
     SELECT 0, $1 + n, 0, $2, data, false FROM unnest($3::bytea[]) WITH ORDINALITY AS d (data, n)`,
    [from, node.nodeId, data],
  );
  let transactions = 0;
  const store = Object.assign(Object.create(service.store) as typeof service.store, {
    settle: service.store.settle.bind(service.store),
    inPartition: (...args: Parameters<typeof service.store.inPartition>) => {
      transactions += 1;
      return service.store.inPartition(...args);
    },
  });
  const { nodeId, ownerId } = node;
  const columns = [{ nodeId, ownerId, entry: 0, written: Buffer.of(1) }];
  await takeVerdicts({ ...service, store }, 0, [{ sequence: from, settled: from, columns }], SIGNAL());
  expect(await waitingRows(node)).toBe(0);
  // One keeps what was said, one finds that the store has to be asked, and the rest evaluates.
  expect(transactions).toBeLessThanOrEqual(4);
});

describe('fifty series wait, and one of them with much:', () => {
  const SERIES = 50;
  const busy = (n: number) => Array.from({ length: 4_000 }, (_, k): [number, number] => [NOW - 4_000 + k + n, 60]);
  const dataOf = (one: Column) =>
    Buffer.from(encodeEntries([{ kind: 'column', column: one }], 1e7, newObjectId)[0] ?? []);

  /** Writes that wait, one of each series, and what historic says of them. */
  async function waiting() {
    const nodes = Array.from({ length: SERIES }, () => heard());
    const [node = heard()] = nodes;
    await service.write(...nodes.map((one) => column(one, [[NOW, 60]])));
    const sequence = await service.write(...nodes.map((one) => column(one, [[NOW - 9_000, 10]], { mode: FAIL })));
    const columns = nodes.map(({ nodeId, ownerId }, entry) => ({ nodeId, ownerId, entry, written: Buffer.of(0) }));
    return { node, sequence, said: { sequence, settled: sequence, columns } };
  }

  test('a removal and what the same message puts in its place are one change', async () => {
    const { node, said } = await waiting();
    expect(reported(node)).toEqual(['0 NORMAL to HIGH']);
    await service.write(
      column(node, [[NOW, null]], { mode: WriteMode.WRITE_MODE_DELETE_RANGE }),
      column(node, busy(1)),
    );
    await takeVerdicts(service, 0, [said], SIGNAL());
    await service.idle();
    expect([await waitingRows(node), reported(node)]).toEqual([0, ['0 NORMAL to HIGH']]);
  });

  test('it is through although the reader of the log goes on adding to it', async () => {
    const { node, sequence, said } = await waiting();
    let added = 0;
    const add = async (count: number) => {
      const data = Array.from({ length: count }, (_, n) => dataOf(column(node, busy(added + n + 2))));
      await service.database.query(
        `INSERT INTO waiting_entries (partition, log_sequence, entry, node_id, data, needs_verdict)
         SELECT 0, $1 + n, 1000, $2, data, false FROM unnest($3::bytea[]) WITH ORDINALITY AS d (data, n)`,
        [sequence + added, node.nodeId, data],
      );
      added += count;
    };
    const [perMessage, most] = [Math.floor((512 * 1024) / dataOf(column(node, busy(0))).byteLength), 20];
    await add(perMessage);
    let transactions = 0;
    const store = Object.assign(Object.create(service.store) as typeof service.store, {
      settle: service.store.settle.bind(service.store),
      inPartition: async (...args: Parameters<typeof service.store.inPartition>) => {
        transactions += 1;
        if (transactions > most) throw new Error('overtaken');
        await add(perMessage);
        return service.store.inPartition(...args);
      },
    });
    await takeVerdicts({ ...service, store }, 0, [said], SIGNAL());
    expect(await waitingRows(node)).toBe(0);
  });
});

describe('while one store of two is away', () => {
  afterEach(() => service.peers.awaySeries.clear());

  test('series of the other one begin', async () => {
    const [away, node] = [heard(), heard()];
    service.peers.awaySeries.add(away.nodeId);
    await service.write(column(away, [[NOW, 60]]), column(node, [[NOW, 60]]));
    expect([reported(away), reported(node)]).toEqual([[], ['0 NORMAL to HIGH']]);
    service.peers.awaySeries.clear();
    service.clock.now += 2_000;
    await service.resume();
    expect(reported(away)).toEqual(['0 NORMAL to HIGH']);
  });

  test('hundreds of series that wait for it keep no other one from going on', async () => {
    const { ownerId, workspaceId, sourceId } = heard();
    const gone = Array.from({ length: 500 }, () => ({ ...parameter(STATES), ownerId, workspaceId, sourceId }));
    for (const one of gone) {
      service.peers.nodes.set(one.nodeId, one);
      service.peers.awaySeries.add(one.nodeId);
    }
    await service.write(...gone.map((one) => column(one, [[NOW, 60]])));
    const node = heard();
    const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }), column(node, [[NOW + 1, 60]]));
    await service.applied({ logSequence: sequence });
    const look = async () => {
      for (let n = 0; n < 3; n += 1) {
        service.clock.now += 2_000;
        await service.resume();
      }
    };
    await look();
    expect(reported(node)).toEqual(['1 NORMAL to HIGH']);
    service.peers.awaySeries.clear();
    await look();
    expect(gone.filter((one) => reported(one).join() !== '0 NORMAL to HIGH')).toEqual([]);
  });
});

describe('when as much waits in a partition as may', () => {
  const LIMIT = 100;
  const entryOf = (node: NodeConfig, timeMs: number, mode?: WriteMode) =>
    column(node, [[timeMs, 60]], mode === undefined ? {} : { mode });
  const applyTo = (store: PgAlarmStore, partition: number, sequence: number, one: Column) => {
    const [data = new Uint8Array()] = encodeEntries([{ kind: 'column', column: one }], 1e6, newObjectId);
    return applyLog({ ...service, store }, [{ partition, sequence, data, timeMs: NOW }], SIGNAL());
  };
  const newStore = (bytes: number) =>
    new PgAlarmStore(service.database, changeMessages(newObjectId), { entries: LIMIT, bytes });

  test.each([
    ['entries', 92, 1e6],
    ['bytes', 93, LIMIT * 100],
  ])('the reader waits too, until historic has said more (%s)', async (_what, partition, bytes) => {
    const store = newStore(bytes);
    const [node, other] = [heard(), heard()];
    const apply = (sequence: number) => applyTo(store, partition, sequence, entryOf(node, NOW + sequence, FAIL));
    let full = 0;
    for (let sequence = 1; full === 0 && sequence <= LIMIT + 1; sequence += 1)
      await apply(sequence).catch((error: DomainError) => {
        expect(error).toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_ENTRIES_WAIT' });
        full = sequence;
      });
    expect(full).toBeGreaterThan(LIMIT / 3);
    // A refused entry is not counted, and other partitions have room.
    await applyTo(store, partition, full, entryOf(other, NOW));
    await applyTo(store, partition + 10, 1, entryOf(node, NOW + 1e6, FAIL));
    await expect(apply(full + 1)).rejects.toMatchObject({ reason: 'TOO_MANY_ENTRIES_WAIT' });
    await service.database.query('DELETE FROM waiting_entries WHERE partition = $1 AND log_sequence <= 9', [partition]);
    await apply(full + 1);
    expect(await waitingRows(node)).toBe(full - 9 + 1);
  });
});

test('entries of a node that is deleted are forgotten', async () => {
  const node = heard();
  const sequence = await service.write(column(node, [[NOW, 60]], { mode: FAIL }));
  await service.nodesDeleted(node);
  expect(await waitingRows(node)).toBe(0);
  await service.applied(wrote(node, sequence, [0]));
  expect(reported(node)).toEqual([]);
});

test(`states follow what is stored, whatever comes first and however often (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 3);
  for (let run = 0; run < 25; run += 1) {
    const partition = 100 + run;
    const series = [1, 2].map((occurrences) => ({
      node: heard([NORMAL, { name: 'HIGH', threshold: 500, occurrences }]),
      model: new StateModel({ threshold: 500, occurrences }),
    }));
    const steps: string[] = [];
    const jobs: { isWord: boolean; run: () => Promise<void> }[] = [];
    for (let sequence = 1; sequence <= 6; sequence += 1) {
      const entries: LogEntry[] = [];
      const writes = series.map(() => randomWrite(random, 1));
      // The writer puts a message aside and goes on: of its columns it says nothing.
      const isPutAside = random() < 0.5 && writes.every(({ mode }) => ASKING.test(mode));
      const columns = series.flatMap(({ node, model }, n) => {
        const { mode, updates } = writes[n] ?? randomWrite(random, 1);
        const notify = NOTIFY_NAMES[Math.floor(random() * 3)] ?? 'NONE';
        const before = new Map(model.records);
        if (!isPutAside) model.write(mode, updates, notify);
        steps.push(
          `${sequence}${isPutAside ? ' put aside' : ''}: ${n} ${mode} ${notify} ${JSON.stringify([...updates])}`,
        );
        const { nodeId, ownerId, workspaceId, sourceId } = node;
        const facts = { nodeId, ownerId, workspaceId, sourceId, notifyOn: NOTIFY[notify] };
        const written = columnOf(mode, updates, facts);
        entries.push({ kind: 'column', column: written });
        const times = [...written.timestamps];
        const changed = times.flatMap((time, index) => (before.get(time) === model.records.get(time) ? [] : [index]));
        return ASKING.test(mode) && !isPutAside
          ? [{ nodeId, ownerId, entry: n, written: Buffer.from(bitsOf(changed, times.length)) }]
          : [];
      });
      const [data = new Uint8Array()] = encodeEntries(entries, 1e6, newObjectId);
      const message = { partition, sequence, data, timeMs: NOW };
      jobs.push({ isWord: false, run: () => applyLog(service, [message], SIGNAL()) });
      const word = { sequence, settled: sequence, columns };
      jobs.push({ isWord: true, run: () => takeVerdicts(service, partition, [word], SIGNAL()) });
    }
    // The two readers run beside each other, each in its own order; messages may come twice.
    const readers = [jobs.filter(({ isWord }) => isWord), jobs.filter(({ isWord }) => !isWord)];
    while (readers.some((left) => left.length > 0)) {
      const left = readers[random() < 0.5 ? 0 : 1];
      const [job] = left ?? [];
      if (!left || !job) continue;
      await job.run();
      if (random() < 0.8) left.shift();
    }
    await service.resume();
    for (const { node, model } of series) {
      const events = service.reported(node).map((text) => text.replace(/ NONE$/, ''));
      expect({ steps, reported: events }).toEqual({ steps, reported: model.reported });
      expect(await waitingRows(node)).toBe(0);
    }
  }
});
