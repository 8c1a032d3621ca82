// A series begins of which nothing is kept, though it has records: the store may be ahead of the log's reader by then.
import { WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { bitsOf, encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import {
  columnOf,
  type Model,
  NOTIFY_NAMES,
  randomFrom,
  randomWrite,
  SEED,
  StateModel,
  sorted,
} from '@catchment/testkit/write-model';
import { applyLog } from '../src/usecases/apply-log.ts';
import { takeVerdicts } from '../src/usecases/take-verdicts.ts';
import {
  AHEAD,
  column,
  NORMAL,
  NOTIFY,
  NOW,
  parameter,
  type Service,
  type StoredRow,
  source,
  startService,
} from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const SIGNAL = () => AbortSignal.timeout(HANGS_AFTER_MS);
const MAX_KEPT = 15;
const RUNS = 40;
const THREE_HIGH = [NORMAL, { name: 'HIGH', threshold: 50, occurrences: 3 }];
const HIGH = [NORMAL, { name: 'HIGH', threshold: 50 }];

/** @param stored time behind NOW, value, quality, and AHEAD where the log's reader has not come to it */
function heard(states: typeof HIGH, stored: readonly StoredRow[] = []): NodeConfig {
  const node = parameter(states);
  service.peers.nodes.set(node.nodeId, node);
  service.peers.nodes.set(node.sourceId, source(node, true));
  hold(node, stored);
  return node;
}
const hold = (node: NodeConfig, stored: readonly StoredRow[]) =>
  service.peers.records.set(
    node.nodeId,
    stored.map(([ms, ...rest]): StoredRow => [NOW + ms, ...rest]).toSorted(([a], [b]) => b - a),
  );
const reported = (node: NodeConfig) =>
  service.reported(node).map((text) => text.replace(/^\d+/, (ms) => `${Number(ms) - NOW}`).replace(/ NONE$/, ''));
const checks = async (node: NodeConfig) =>
  (await service.database.query('SELECT 1 FROM judgements WHERE node_id = $1', [node.nodeId])).rowCount;

async function kept(node: NodeConfig): Promise<readonly (readonly [number, number])[]> {
  const { rows } = await service.database.query<{ history: [number, number][] }>(
    'SELECT history FROM series WHERE node_id = $1',
    [node.nodeId],
  );
  return (rows[0]?.history ?? []).map(([timeMs, value]) => [timeMs - NOW, value]);
}

test('an older record is no news, though the store has it and others already', async () => {
  const node = heard(HIGH, [
    [10, 1],
    [5, 60, undefined, AHEAD],
    [11, 60, undefined, AHEAD],
  ]);
  await service.write(column(node, [[NOW + 5, 60]]));
  expect([reported(node), await kept(node)]).toEqual([
    [],
    [
      [5, 60],
      [10, 1],
    ],
  ]);
  await service.write(column(node, [[NOW + 11, 60]]));
  expect(reported(node)).toEqual(['11 NORMAL to HIGH']);
  // Record 11 was still to come: that nothing is missing is seen when the log has been read.
  expect(await checks(node)).toBe(1);
  await service.judge();
  expect([reported(node), await checks(node)]).toEqual([['11 NORMAL to HIGH'], 0]);
});

test('records before the first entry count, however far the store is ahead', async () => {
  const later = Array.from({ length: 40 }, (_, n): StoredRow => [n + 3, n % 2 === 0 ? 60 : 1, undefined, AHEAD]);
  const node = heard(THREE_HIGH, [[1, 60], [2, 60], ...later]);
  await service.write(column(node, [[NOW + 3, 60]]));
  expect([reported(node), await kept(node)]).toEqual([
    ['3 NORMAL to HIGH'],
    [
      [1, 60],
      [2, 60],
      [3, 60],
    ],
  ]);
});

test('a store that has only what the entry brings is not looked at again', async () => {
  const node = heard(HIGH, [[1, 60, undefined, AHEAD]]);
  await service.write(column(node, [[NOW + 1, 60]]));
  expect([reported(node), await checks(node)]).toEqual([['1 NORMAL to HIGH'], 0]);
});

test('a value that a later update leaves as it was is kept once the log has been read', async () => {
  const node = heard(HIGH, [
    [1, 1],
    [9, 60, 7, AHEAD],
  ]);
  await service.write(column(node, [[NOW + 2, 1]]));
  expect([await kept(node), await checks(node)]).toEqual([
    [
      [1, 1],
      [2, 1],
    ],
    1,
  ]);
  await service.judge();
  expect([await kept(node), service.states(node).at(-1)]).toEqual([
    [
      [1, 1],
      [2, 1],
      [9, 60],
    ],
    'HIGH',
  ]);
});

test('a check does not take the place of a judgement by changed settings', async () => {
  const node = heard(HIGH, [[9, 60, undefined, AHEAD]]);
  const row = async () =>
    (
      await service.database.query(
        'SELECT username, check_ms IS NOT NULL AS is_check FROM judgements WHERE node_id = $1',
        [node.nodeId],
      )
    ).rows;
  const judgement = { nodeId: node.nodeId, afterSequence: 1, needsStore: false, timeMs: NOW, username: 'jo' };
  await service.store.transaction((tx) => tx.judgeLater([judgement]));
  await service.write(column(node, [[NOW + 2, 1]]));
  expect(await row()).toEqual([{ username: 'jo', is_check: false }]);
  const [found] = (await service.store.judgements(1_000, [])).filter(({ nodeId }) => nodeId === node.nodeId);
  expect(found).toMatchObject({ isCheck: false, needsStore: true });
  await service.judge();
  expect(service.states(node)).toEqual(['NORMAL', 'HIGH']);
});

test('an entry that waits for a word of historic begins where it came', async () => {
  const node = heard(HIGH, [
    [10, 1],
    [11, 60, undefined, AHEAD],
  ]);
  const sequence = await service.write(
    column(node, [[NOW + 5, 60]], { mode: WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING }),
  );
  const { nodeId, ownerId } = node;
  const columnsSettled = [{ nodeId, ownerId, entry: 0, written: Buffer.from(bitsOf([0], 1)) }];
  await service.applied({ logSequence: sequence, columnsSettled });
  expect([reported(node), await kept(node)]).toEqual([
    [],
    [
      [5, 60],
      [10, 1],
    ],
  ]);
});

/** The store has this after each message, by the ms in which it came. */
type Store = ReadonlyMap<number, { readonly value: number; readonly writtenMs: number }>[];

test(`what is kept is what is stored, whoever was ahead when the series began (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 11);
  let ahead = 0;
  const runs: { node: NodeConfig; model: StateModel; steps: string[] }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const partition = 300 + run;
    const occurrences = 1 + Math.floor(random() * 2);
    const node = heard([NORMAL, { name: 'HIGH', threshold: 500, occurrences }]);
    const model = new StateModel({ threshold: 500, occurrences });
    const { nodeId, ownerId, workspaceId, sourceId } = node;
    const steps: string[] = [];
    const store: Store = [];
    const jobs: { isWord: boolean; sequence: number; run: () => Promise<void> }[] = [];
    const before = Math.floor(random() * 4);
    for (let sequence = 1; sequence <= before + 6; sequence += 1) {
      const { mode, updates } = randomWrite(random, 1);
      const notify = sequence <= before ? 'NONE' : (NOTIFY_NAMES[Math.floor(random() * 3)] ?? 'NONE');
      const earlier = new Map(model.records);
      model.write(mode, updates, notify);
      steps.push(
        `${sequence}${sequence <= before ? ' not read' : ''}: ${mode} ${notify} ${JSON.stringify([...updates])}`,
      );
      store.push(storeAfter(store.at(-1), earlier, model.records, sequence));
      // Nobody has evaluated these.
      if (sequence <= before) continue;
      const written = columnOf(mode, updates, { nodeId, ownerId, workspaceId, sourceId, notifyOn: NOTIFY[notify] });
      const times = [...written.timestamps];
      const changed = times.flatMap((time, index) => (earlier.get(time) === model.records.get(time) ? [] : [index]));
      const entry: LogEntry = { kind: 'column', column: written };
      const [data = new Uint8Array()] = encodeEntries([entry], 1e6, newObjectId);
      const message = { partition, sequence, data, timeMs: sequence };
      jobs.push({ isWord: false, sequence, run: () => applyLog(service, [message], SIGNAL()) });
      const columns = [{ nodeId, ownerId, entry: 0, written: Buffer.from(bitsOf(changed, times.length)) }];
      const word = { sequence, settled: sequence, columns: /PRESERVE|UPDATE|FAIL/.test(mode) ? columns : [] };
      jobs.push({ isWord: true, sequence, run: () => takeVerdicts(service, partition, [word], SIGNAL()) });
    }
    const readers = [jobs.filter(({ isWord }) => isWord), jobs.filter(({ isWord }) => !isWord)];
    while (readers.some((left) => left.length > 0)) {
      const left = readers[random() < 0.5 ? 0 : 1];
      const [job] = left ?? [];
      if (!left || !job) continue;
      // The store has at least what comes before; of a word, the message too.
      const least = Math.max(...readers.map(([reader]) => reader?.sequence ?? 0)) - 1;
      const at = Math.min(store.length, Math.max(least, before) + Math.floor(random() * 4));
      if (at > job.sequence) ahead += 1;
      service.peers.records.set(nodeId, newestOf(store[at - 1]));
      await job.run();
      if (random() < 0.8) left.shift();
    }
    service.peers.records.set(nodeId, newestOf(store.at(-1)));
    runs.push({ node, model, steps });
  }
  await service.idle();
  await service.judge();
  for (const { node, model, steps } of runs) {
    const values = sorted(model.records).flatMap(([time, { v }]) => (typeof v === 'number' ? [[time, v]] : []));
    const now = (await kept(node)).map(([time, value]) => [time + NOW, value]);
    expect({ steps, kept: now }).toEqual({ steps, kept: values.slice(-MAX_KEPT) });
  }
  expect(ahead).toBeGreaterThan(RUNS);
});

function storeAfter(last: Store[number] | undefined, before: Model, after: Model, writtenMs: number): Store[number] {
  return new Map(
    [...after].flatMap(([time, record]) => {
      if (typeof record.v !== 'number') return [];
      const known = before.get(time) === record ? last?.get(time) : undefined;
      return [[time, known ?? { value: record.v, writtenMs }] as const];
    }),
  );
}

const newestOf = (store: Store[number] | undefined): StoredRow[] =>
  [...(store ?? [])]
    .sort(([a], [b]) => b - a)
    .map(([time, { value, writtenMs }]): StoredRow => [time, value, undefined, writtenMs]);
