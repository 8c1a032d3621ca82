import { newObjectId } from '@catchment/ids';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const T0 = Date.UTC(2024, 0, 1);
const MIN = 60_000;
const iso = (minute: number) => new Date(T0 + minute * MIN).toISOString();
const DAY = { startTime: iso(0), endTime: iso(24 * 60) };
const HOURLY = { baseTime: 'D', interval: '1H' };

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

/** One account has a level every 30 minutes until 02:30, rain at two moments, and a text without data. */
async function station() {
  const level = historic.parameter({ units: 'm' }, { name: 'Level' });
  const shared = { ownerId: level.ownerId, workspaceId: level.workspaceId };
  const rain = historic.parameter({ units: 'mm' }, { ...shared, name: 'Rain', customId: 'rain' });
  const note = historic.parameter({ valueType: TYPES.TEXT }, { ...shared, name: 'Note' });
  await historic.write(level, jts([0, 1, 2, 3, 4, 5].map((n) => [T0 + n * 30 * MIN, { v: n }])));
  // Reads by the time of writing have the level before the rain.
  await historic.nextMs();
  await historic.write(
    rain,
    jts([
      [T0 + 30 * MIN, { v: 7, q: 155 }],
      [T0 + 61 * MIN, { v: 8, a: 'x' }],
    ]),
  );
  await historic.idle();
  const who = caller(level.ownerId);
  const read = async (params: string, given: Record<string, string> = DAY) =>
    historic.readMany({ ...given, params }, who, T0 + 48 * 60 * MIN);
  const rows = async (params: string, given?: Record<string, string>) =>
    JSON.parse(await read(params, given)).data.map(({ ts, f }: { ts: string; f: object }) => [
      (Date.parse(ts) - T0) / MIN,
      f,
    ]);
  return { level, rain, note, who, read, rows };
}

test('columns meet on exact times; the header has all of them, also without data', async () => {
  const { level, note, read, rows } = await station();
  const params = `${level.nodeId},@rain,${note.nodeId}`;
  expect((await rows(params)).slice(0, 4)).toEqual([
    [0, { 0: { v: 0 } }],
    [30, { 0: { v: 1 }, 1: { v: 7, q: 155 } }],
    [60, { 0: { v: 2 } }],
    [61, { 1: { v: 8, a: 'x' } }],
  ]);
  const { header } = JSON.parse(await read(params));
  expect(header).toMatchObject({
    recordCount: 7,
    columns: {
      0: { id: level.nodeId, name: 'Level', units: 'm', aggregate: 'NONE' },
      1: { name: 'Rain', units: 'mm' },
      2: { id: note.nodeId, name: 'Note', dataType: 'TEXT' },
    },
  });
});

test('the same node twice, with aggregates of its own', async () => {
  const { level, read, rows } = await station();
  const params = `${level.nodeId}(aggregate:AVERAGE;baseTime:D;interval:2h),${level.nodeId}(aggregate:MAXIMUM)`;
  const given = { ...DAY, ...HOURLY, endTime: iso(180) };
  expect(await rows(params, given)).toEqual([
    [0, { 0: { v: 1.5 }, 1: { v: 1 } }],
    [60, { 1: { v: 3 } }],
    [120, { 0: { v: 4.5 }, 1: { v: 5 } }],
  ]);
  expect(JSON.parse(await read(params, given)).header.columns).toMatchObject({
    0: { aggregate: 'AVERAGE', baseTime: 'D', interval: '2H' },
    1: { aggregate: 'MAX', baseTime: 'D', interval: '1H' },
  });
});

test('a limit counts rows over all columns', async () => {
  const { level, rows } = await station();
  const params = `${level.nodeId},@rain`;
  const minutes = async (given: Record<string, string>) => (await rows(params, given)).map(([at]: [number]) => at);
  expect(await minutes({ startTime: iso(30), limit: '3' })).toEqual([30, 60, 61]);
  expect(await minutes({ endTime: iso(90), limit: '3' })).toEqual([60, 61, 90]);
  expect(await minutes({ limit: '2' })).toEqual([120, 150]);
  // FIRST and LAST are of all series.
  expect(await minutes({ startTime: 'FIRST+40M', endTime: 'LAST-60M' })).toEqual([60, 61, 90]);
});

describe('timeQuery MODIFIED with a limit', () => {
  type Answer = { header: { next?: string; recordCount: number }; data: { ts: string; f: Record<string, object> }[] };
  const pageOf = async (params: string, who: ReturnType<typeof caller>, given: Record<string, string>) => {
    const read = await historic.readMany({ timeQuery: 'MODIFIED', ...given, params }, who);
    return JSON.parse(read) as Answer;
  };

  test('takes the rows that were written first over all columns, and goes on behind them, also within one write', async () => {
    const { level, who } = await station();
    await historic.write(level, jts([[T0 + 61 * MIN, { v: 99 }]]));
    await historic.idle();
    const params = `${level.nodeId},@rain`;
    const found: unknown[] = [];
    let after: string | undefined;
    do {
      const page = await pageOf(params, who, { limit: '2', ...(after !== undefined && { after }) });
      expect(page.header.recordCount).toBe(page.data.length);
      found.push(page.data.map(({ ts, f }) => [(Date.parse(ts) - T0) / MIN, f]));
      after = page.header.next;
    } while (after !== undefined);
    expect(found).toEqual([
      [
        [0, { 0: { v: 0 } }],
        [30, { 0: { v: 1 } }],
      ],
      [
        [60, { 0: { v: 2 } }],
        [90, { 0: { v: 3 } }],
      ],
      [
        [120, { 0: { v: 4 } }],
        [150, { 0: { v: 5 } }],
      ],
      // The row of 61 minutes has got its level later than its rain, and both fit here.
      [
        [30, { 1: { v: 7, q: 155 } }],
        [61, { 0: { v: 99 }, 1: { v: 8, a: 'x' } }],
      ],
    ]);
  });

  test('every record is on one page, and what is written meanwhile comes, however writes and pages meet', async () => {
    const source = historic.source();
    const of = { ownerId: source.ownerId, workspaceId: source.workspaceId };
    const nodes = [historic.child(source), historic.child(source), historic.parameter({}, of)];
    const who = caller(source.ownerId);
    const params = nodes.map(({ nodeId }) => nodeId).join(',');
    /** The newest value is kept by column and time. */
    const written = new Map<string, number>();
    const writes: string[] = [];
    let value = 0;
    const write = async (column: number, times: readonly number[]) => {
      const records = times.map((time) => {
        value += 1;
        written.set(`${column} ${time}`, value);
        writes.push(`${column} ${time} ${value}`);
        return [T0 + time, { v: value }] as const;
      });
      await historic.write(nodes[column] as (typeof nodes)[0], jts(records));
    };
    await Promise.all(
      nodes.map((_, column) =>
        write(
          column,
          Array.from({ length: 60 }, (_, n) => n),
        ),
      ),
    );
    let isWriting = true;
    const writing = Promise.all(
      nodes.map(async (_, column) => {
        for (let n = 0; n < 40; n += 1)
          await write(
            column,
            [n, 60 + n, 7 * (n % 9)].sort((a, b) => a - b),
          );
      }),
    ).finally(() => {
      isWriting = false;
    });
    const given: string[] = [];
    let after = '';
    for (;;) {
      const isLast = !isWriting;
      if (isLast) await historic.idle();
      const { header, data } = await pageOf(params, who, { limit: '7', ...(after !== '' && { after }) });
      expect(data.length).toBeLessThanOrEqual(7);
      if (header.next !== undefined) {
        after = header.next;
      } else if (!isLast) continue;
      for (const { ts, f } of data)
        for (const [column, { v }] of Object.entries(f) as [string, { v: number }][])
          given.push(`${column} ${Date.parse(ts) - T0} ${v}`);
      if (header.next === undefined) break;
    }
    await writing;
    // The answer has none but these writes, none of them twice, and the newest of all.
    expect(given.filter((time) => !writes.includes(time))).toEqual([]);
    expect(given.filter((time, n) => given.indexOf(time) !== n)).toEqual([]);
    const newest = [...written].map(([place, v]) => `${place} ${v}`);
    expect(newest.filter((time) => !given.includes(time))).toEqual([]);
  });

  test('a wrong `after` is refused', async () => {
    const { level, who } = await station();
    const { header } = await pageOf(level.nodeId, who, { limit: '1' });
    const of = (params: string, given: Record<string, string>) =>
      pageOf(params, who, { limit: '1', ...given }).then(String, ({ message }: Error) => message);
    expect(await of(level.nodeId, { after: 'x' })).toContain('after: must be header.next');
    expect(await of('@rain', { after: String(header.next) })).toContain('after: must be header.next');
    const needs = 'after: needs timeQuery=MODIFIED and a limit';
    expect(await of(level.nodeId, { after: String(header.next), timeQuery: 'RECORD' })).toBe(needs);
    expect(await of(level.nodeId, { after: String(header.next), limit: '', ...DAY })).toBe(needs);
  });
});

test('CSV with aggregates and qualities', async () => {
  const { level, read } = await station();
  const given = { ...DAY, ...HOURLY, endTime: iso(180), format: 'CSV', header: 'FALSE', quality: 'SEPARATE_VALUE' };
  expect(await read(`${level.nodeId}(aggregate:TOTAL),@rain(aggregate:COUNT)`, given)).toBe(
    [`${iso(0)},1,,0,155`, `${iso(60)},5,,1,`, `${iso(120)},9,,0,165`, ''].join('\n'),
  );
});

test('100 columns, read a few at a time', async () => {
  const { level, rows } = await station();
  const [first] = await rows(Array(100).fill(level.nodeId).join(','));
  expect(Object.keys(first[1])).toHaveLength(100);
});

test('what is refused', async () => {
  const { level, note, read } = await station();
  const folder = historic.source({ ownerId: level.ownerId, workspaceId: level.workspaceId });
  const bad = { kind: 'invalid_argument' };
  await expect(read('')).rejects.toMatchObject({ ...bad, message: expect.stringContaining('params') });
  await expect(read(`${level.nodeId},${folder.nodeId}`)).rejects.toMatchObject(bad);
  await expect(read(`${note.nodeId}(aggregate:MEDIAN)`, { ...DAY, ...HOURLY })).rejects.toMatchObject({
    ...bad,
    message: expect.stringContaining('aggregate: MEDIAN needs a number parameter'),
  });
  await expect(read(`${level.nodeId},${newObjectId()}`)).rejects.toMatchObject({ kind: 'not_found' });
  const foreign = historic.parameter();
  await expect(read(`${level.nodeId},${foreign.nodeId}`)).rejects.toMatchObject({ kind: 'not_found' });
  const limited = caller(level.ownerId, { accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [newObjectId()] });
  await expect(historic.readMany({ ...DAY, params: level.nodeId }, limited)).rejects.toMatchObject({
    kind: 'permission_denied',
  });
});

test('more fields than an answer may have, over all columns', async () => {
  const { level } = await station();
  const given = { startTime: iso(0), endTime: iso(50_000 / 60), ...HOURLY, interval: '1S', aggregate: 'COUNT' };
  const three = [level, level, level].map(({ nodeId }) => nodeId).join(',');
  await expect(historic.readMany({ ...given, params: three }, caller(level.ownerId))).rejects.toMatchObject({
    kind: 'too_large',
  });
});

test('columns for other services: an aggregate by the same arguments', async () => {
  const { level, rain } = await station();
  const range = { startMs: T0, endMs: T0 + 180 * MIN };
  const [chunk] = await historic.readSeries(level, { ...range, arguments: { ...HOURLY, aggregate: 'END' } });
  const numbers = (bytes: Uint8Array | undefined) => {
    const copy = Uint8Array.from(bytes ?? []);
    return [...new Float64Array(copy.buffer)];
  };
  expect(numbers(chunk?.timestamps)).toEqual([0, 60, 120].map((minute) => T0 + minute * MIN));
  expect(numbers(chunk?.numbers)).toEqual([1, 3, 5]);
  expect(chunk?.valueType).toBe(TYPES.NUMBER);
  const [own] = await historic.readSeries(rain, { ...range, arguments: { qualityExcluded: 'BAD' } });
  expect(numbers(own?.numbers)).toEqual([8]);
  const refused = historic.readSeries(level, { ...range, bounding: true, arguments: { aggregate: 'CHANGE' } });
  await expect(refused).rejects.toMatchObject({ kind: 'invalid_argument' });
});
