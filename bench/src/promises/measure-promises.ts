import { openEventStream, until } from '@catchment/testkit';
import { type Api, apiOf, makeParameter } from '../api.ts';
import type { Installation } from '../installation.ts';
import { atMost, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';

/** See docs/reference/guarantees.md#when-changes-take-effect. */
const SHOWN_SECONDS = 2;
const REVOKED_SECONDS = 5;
const TIMES = 40;
const KEYS = 5;
const LOOK_MS = 10;
const FIRST_MS = Date.UTC(2024, 0, 1);

const timeOf = (n: number) => new Date(FIRST_MS + n * 60_000).toISOString();

/** Measures the time until everybody sees writes, deletes and revoked keys. */
export async function measurePromises(installation: Installation, scale: number): Promise<Row[]> {
  const api = apiOf(installation);
  const { parameterId: id } = await makeParameter(api, 'Promises');
  const node = () => api<{ currentValue?: number }>('GET', `/nodes/${id}`);
  const times = Math.max(5, Math.ceil(TIMES * scale));
  const rows: Row[] = [];
  const report = (row: Row) => {
    rows.push(row);
    console.log(`  ${row.name}: ${row.value} ${row.unit}`);
  };
  /** Times each change until it is seen. */
  const measure = async (
    what: string,
    change: (n: number) => Promise<unknown>,
    isSeen: (n: number) => Promise<boolean>,
  ) => {
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const beganMs = performance.now();
      await change(n);
      await until(() => isSeen(n), { everyMs: LOOK_MS, what });
      took.push(performance.now() - beganMs);
    }
    const median = Math.round(quantile(took, 0.5));
    report(
      atMost(`${what}, the slowest of ${times} (median ${median} ms)`, Math.max(...took) / 1_000, 's', SHOWN_SECONDS),
    );
  };

  const write = (n: number, field: { v: number } | null) =>
    api('PUT', `/nodes/${id}/historic`, { docType: 'jts', data: [{ ts: timeOf(n), f: { 0: field } }] });
  const valueAt = async (n: number) => {
    const at = timeOf(n);
    const { data } = await api<{ data: unknown[] }>('GET', `/nodes/${id}/historic?startTime=${at}&endTime=${at}`);
    return data.length;
  };
  await measure(
    'a record until it can be read',
    (n) => write(n, { v: n }),
    async (n) => (await valueAt(n)) === 1,
  );
  await measure(
    'a newer record until its node shows it',
    (n) => write(times + n, { v: times + n }),
    async (n) => (await node()).currentValue === times + n,
  );
  await measure(
    'a deleted record until the node shows the one before it',
    (n) => write(2 * times - 1 - n, null),
    async (n) => (await node()).currentValue === 2 * times - 2 - n,
  );
  report(await revokedKeys(installation, api));
  return rows;
}

/** Times each deleted key until its stream has ended and its requests are refused. */
async function revokedKeys({ url }: Installation, api: Api): Promise<Row> {
  const took: number[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const body = { label: `Promises ${n}`, permission: 'READ_ONLY', accessLevel: 'ACCOUNT' };
    const { key, _id } = await api<{ key: string; _id: string }>('POST', '/owners/account/apikeys', body);
    const headers = { 'X-Api-Key': key };
    const stream = await openEventStream(`${url}/api/v1/events/stream`, headers);
    await until(() => stream.state.lastId !== '');
    const beganMs = performance.now();
    await api('DELETE', `/owners/account/apikeys/${_id}`);
    await stream.ended();
    await until(async () => (await fetch(`${url}/api/v1/nodes?limit=1`, { headers })).status === 401, {
      everyMs: LOOK_MS,
    });
    took.push(performance.now() - beganMs);
  }
  return atMost(
    `a deleted key until its stream has ended and its requests are refused, the slowest of ${KEYS}`,
    Math.max(...took) / 1_000,
    's',
    REVOKED_SECONDS,
  );
}
