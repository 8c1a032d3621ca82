import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '@catchment/errors';
import { decodeBatch, type LogEntry } from '@catchment/ingest-log';
import { until } from '@catchment/testkit';
import { column } from '@catchment/testkit/columns';
import { GroupCommit, type Publish } from './group-commit.ts';

const KIB = 1024;
type Call = {
  subject: string;
  data: Uint8Array;
  msgId: string;
  timeoutMs: number | undefined;
  settle: () => void;
  fail: () => void;
};

/** Fakes a broker whose acknowledgements are given by hand. */
function start(maxPayloadBytes = 1024 * KIB) {
  const calls: Call[] = [];
  const clock = { nowMs: 1_000_000 };
  const publish: Publish = (subject, data, { msgId, timeoutMs }) =>
    new Promise((resolve, reject) => {
      calls.push({
        subject,
        data,
        msgId,
        timeoutMs,
        settle: () => resolve({ sequence: calls.length }),
        fail: () => reject(unavailable('PEER_UNAVAILABLE')),
      });
    });
  const commit = new GroupCommit({
    publish,
    partitions: 2,
    maxPayloadBytes: () => maxPayloadBytes,
    now: () => clock.nowMs,
  });
  const append = (entries: readonly LogEntry[], partition = 0, deadlineMs = clock.nowMs + 10_000) => {
    const state = { value: 'waiting' };
    const done = commit.append(partition, entries, deadlineMs).then(
      () => {
        state.value = 'acknowledged';
      },
      (error: { reason?: string }) => {
        state.value = error.reason ?? String(error);
      },
    );
    return { state, done };
  };
  const call = (n: number) => until(() => calls[n], { what: `publish ${n}` });
  return { calls, clock, commit, append, call };
}
const write = (time: number, records = 1): LogEntry[] => [
  { kind: 'column', column: column(Array.from({ length: records }, (_, n) => time + n)) },
];
const timesOf = ({ data }: Call) =>
  decodeBatch(data).flatMap((entry) => (entry.kind === 'column' ? [...entry.column.timestamps] : []));
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a request is answered by the acknowledgement, not before', async () => {
  const { append, call } = start();
  const { state, done } = append(write(1));
  const first = await call(0);
  expect(first.subject).toBe('ingest.0');
  await turn();
  expect(state.value).toBe('waiting');
  first.settle();
  await done;
  expect(state.value).toBe('acknowledged');
});

test('what arrives while a flush is under way goes together, in order, as the next one', async () => {
  const { append, call, calls } = start();
  append(write(1));
  const first = await call(0);
  const later = [append(write(2)), append(write(3)), append(write(4))];
  await turn();
  expect(calls).toHaveLength(1);
  first.settle();
  const second = await call(1);
  expect(timesOf(second)).toEqual([2, 3, 4]);
  expect(second.msgId).not.toBe(first.msgId);
  second.settle();
  await Promise.all(later.map(({ done }) => done));
  expect(later.map(({ state }) => state.value)).toEqual(Array(3).fill('acknowledged'));
});

test('partitions do not wait for one another', async () => {
  const { append, call } = start();
  append(write(1), 0);
  append(write(2), 1);
  expect([(await call(0)).subject, (await call(1)).subject].sort()).toEqual(['ingest.0', 'ingest.1']);
});

test('a publish without acknowledgement is repeated with the same id', async () => {
  const { append, call } = start();
  const { state, done } = append(write(1));
  const first = await call(0);
  first.fail();
  const second = await call(1);
  expect(second.msgId).toBe(first.msgId);
  expect(second.data).toEqual(first.data);
  expect(state.value).toBe('waiting');
  second.settle();
  await done;
  expect(state.value).toBe('acknowledged');
});

test('at its deadline a request is unavailable; others of the flush go on being tried', async () => {
  const { append, call, clock } = start();
  const impatient = append(write(1), 0, clock.nowMs + 1_000);
  const patient = append(write(2), 0, clock.nowMs + 60_000);
  const first = await call(0);
  clock.nowMs += 2_000;
  first.fail();
  await impatient.done;
  expect(impatient.state.value).toBe('PEER_UNAVAILABLE');
  const second = await call(1);
  expect(patient.state.value).toBe('waiting');
  clock.nowMs += 60_000;
  second.fail();
  await patient.done;
  expect(patient.state.value).toBe('PEER_UNAVAILABLE');
});

test('after a failure the next requests are served', async () => {
  const { append, call, clock } = start();
  const lost = append(write(1), 0, clock.nowMs);
  (await call(0)).fail();
  await lost.done;
  const { state, done } = append(write(2));
  (await call(1)).settle();
  await done;
  expect(state.value).toBe('acknowledged');
});

test('no attempt outlives the longest deadline, nor five seconds', async () => {
  const { append, call, clock } = start();
  append(write(1), 0, clock.nowMs + 700);
  append(write(2), 1, clock.nowMs + 60_000);
  expect([(await call(0)).timeoutMs, (await call(1)).timeoutMs].sort()).toEqual([5_000, 700].sort());
});

test.each([
  ['requests', 5_001, 1],
  ['records', 9, 50_000],
])('too many waiting %s: refused at once, the others are not harmed', async (_what, requests, records) => {
  const { append, call, calls, commit } = start(64 * KIB * KIB);
  append(write(0));
  const first = await call(0);
  const entries = write(1, records);
  const waiting = Array.from({ length: requests }, () => append(entries));
  await turn();
  expect(waiting.at(-1)?.state.value).toBe('INGEST_BUSY');
  expect(waiting.at(-2)?.state.value).toBe('waiting');
  first.settle();
  const settling = setInterval(() => {
    for (const call of calls) call.settle();
  }, 1);
  await commit.drain();
  clearInterval(settling);
  await waiting.at(-2)?.done;
  expect(waiting.at(-2)?.state.value).toBe('acknowledged');
});

test('one request may be larger than all bounds', async () => {
  const { append, call } = start(64 * KIB * KIB);
  const { done, state } = append(write(1, 500_000));
  (await call(0)).settle();
  await done;
  expect(state.value).toBe('acknowledged');
});

test('what does not fit into one message goes as several, and is answered by the last acknowledgement', async () => {
  const { append, call, calls } = start(64 * KIB);
  const { done, state } = append(write(0, 10_000));
  for (let n = 0; state.value === 'waiting'; n += 1) {
    const { data, settle } = await call(n);
    expect(data.byteLength).toBeLessThan(60 * KIB);
    settle();
    await turn();
    await turn();
  }
  await done;
  const parts = calls
    .flatMap(({ data }) => decodeBatch(data))
    .map((entry) => (entry.kind === 'columnPart' ? entry.part : undefined));
  expect(parts.map((part) => part?.part)).toEqual(Array.from({ length: parts.length }, (_, n) => n));
  expect(parts.reduce((sum, part) => sum + (part?.column.timestamps.length ?? 0), 0)).toBe(10_000);
  expect(new Set(calls.map(({ msgId }) => msgId)).size).toBe(calls.length);
});

test('a flush is kept small: 40 000 records, whatever waits', async () => {
  const { append, call } = start(64 * KIB * KIB);
  append(write(0));
  const first = await call(0);
  for (let n = 0; n < 5; n += 1) append(write(n, 15_000));
  first.settle();
  expect(timesOf(await call(1))).toHaveLength(30_000);
});

test('draining waits for all that was gathered', async () => {
  const { append, call, commit } = start();
  const earlier = append(write(1));
  let isDrained = false;
  const drained = commit.drain().then(() => {
    isDrained = true;
  });
  const first = await call(0);
  const later = append(write(2));
  first.settle();
  await turn();
  expect(isDrained).toBe(false);
  (await call(1)).settle();
  await drained;
  await Promise.all([earlier.done, later.done]);
  expect([earlier.state.value, later.state.value]).toEqual(['acknowledged', 'acknowledged']);
});

test('a request alone is published in its own context, several in none of theirs', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const publish: Publish = async () => {
    seen.push(request.getStore());
    return { sequence: seen.length };
  };
  const commit = new GroupCommit({ publish, partitions: 1, maxPayloadBytes: () => 1024 * KIB });
  const deadlineMs = Date.now() + 10_000;
  await request.run('alone', () => commit.append(0, write(1), deadlineMs));
  const together = ['one', 'two'].map((name) => request.run(name, () => commit.append(0, write(1), deadlineMs)));
  await Promise.all(together);
  expect(seen).toEqual(['alone', undefined]);
});

test('there is no such partition', () => {
  const { commit } = start();
  expect(() => commit.append(2, write(1), 0)).toThrow('no partition 2');
});

test('a write with an id is a message of its own, the same whenever it comes again', async () => {
  const published: { msgId: string; subject: string }[] = [];
  const publish: Publish = async (subject, _data, { msgId }) => {
    published.push({ subject, msgId });
    return { sequence: published.length };
  };
  const commit = new GroupCommit({ publish, partitions: 2, maxPayloadBytes: () => 1024 * KIB });
  const deadlineMs = Date.now() + 10_000;
  const sequences = await Promise.all([
    commit.append(0, write(1), deadlineMs),
    commit.append(0, write(1), deadlineMs, 'id'),
    commit.append(0, write(1), deadlineMs),
    commit.append(1, write(1), deadlineMs, 'id'),
  ]);
  await commit.append(0, write(1), deadlineMs, 'id');
  const ids = published.map(({ msgId }) => msgId);
  expect(ids.filter((id) => id === 'id-ingest.0-0')).toHaveLength(2);
  expect(ids.filter((id) => id === 'id-ingest.1-0')).toHaveLength(1);
  // Those of the others are random, and where the log has each is reported.
  expect([new Set(ids).size, published.length]).toEqual([4, 5]);
  expect(new Set(sequences).size).toBe(4);
});
