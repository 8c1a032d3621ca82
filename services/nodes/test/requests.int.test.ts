// The real database shows what is kept of requests with a key of their own, for whom, and what a try that has died leaves.
import { createHash, randomUUID } from 'node:crypto';
import type { ApiCaller } from '@catchment/access';
import type { BeginRequestRequest, BeginRequestResponse } from '@catchment/contracts/requests';
import { forgetRequests } from '../src/requests/index.ts';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const print = (text: string) => createHash('sha256').update(text).digest();
const asked = (more: Partial<BeginRequestRequest> & { key?: string } = {}): BeginRequestRequest => {
  const { key = randomUUID(), ...rest } = more;
  const prints = { keySha256: print(key), headSha256: print('POST /nodes'), bodySha256: print('{}') };
  return { ...prints, arrivalMs: 1_000, holdSeconds: 60, isRepeatable: true, ...rest };
};
const begun = ({ requestId, state }: BeginRequestResponse) => {
  if (state?.$case !== 'run') throw new Error(`not to be run: ${state?.$case}`);
  return { requestId, tryNumber: state.value.number, arrivalMs: state.value.arrivalMs };
};
const answer = { status: 201, contentType: '', body: Buffer.from('{"_id":"1"}'), bodySha256: print('{}') };
/** A process that held the try has died. */
const die = (requestId: string) =>
  f.database.query(`UPDATE keyed_requests SET held_until = now() - interval '1 second' WHERE request_id = $1`, [
    requestId,
  ]);

/** Makes an account that sends requests; `as` is the caller with a request as its services see it. */
async function sender() {
  const api = await f.account();
  const during = (keyed: NonNullable<ApiCaller['keyed']>) => f.as({ ...api.caller, keyed });
  return { ...api, during };
}

test('the answer of the first request is given to the second, and to nobody else', async () => {
  const [sent, other] = [await sender(), await sender()];
  const request = asked();
  const first = begun(await f.requests.beginRequest(request, sent.options));
  await f.requests.endRequest({ ...first, answer }, sent.options);
  expect((await f.requests.beginRequest(request, sent.options)).state).toEqual({ $case: 'answer', value: answer });
  expect((await f.requests.beginRequest(request, other.options)).state?.$case).toBe('run');
  // Nor does another account end it.
  const second = begun(await f.requests.beginRequest(asked(), sent.options));
  await f.requests.endRequest({ ...second, answer }, other.options);
  await expect(f.requests.endRequest({ ...second, answer }, sent.options)).resolves.toEqual({});
});

test('of requests that come at once one runs, the others wait', async () => {
  const { options } = await sender();
  const request = asked();
  const states = await Promise.all(Array.from({ length: 8 }, () => f.requests.beginRequest(request, options)));
  expect(states.map(({ state }) => state?.$case).sort()).toEqual(['run', ...Array(7).fill('underWay')]);
});

test('a try without an answer may come again, as of the arrival of the first', async () => {
  const { options } = await sender();
  const request = asked();
  const first = begun(await f.requests.beginRequest(request, options));
  await f.requests.endRequest({ ...first, answer: undefined }, options);
  const second = begun(await f.requests.beginRequest({ ...request, arrivalMs: 9_000 }, options));
  expect(second).toEqual({ requestId: first.requestId, tryNumber: 2, arrivalMs: 1_000 });
  // A late answer to the first request says nothing any more.
  await f.requests.endRequest({ ...first, answer }, options);
  expect((await f.requests.beginRequest(request, options)).state?.$case).toBe('underWay');
});

test('a key that comes with another request is refused, and changes nothing', async () => {
  const { options } = await sender();
  const request = asked();
  const first = begun(await f.requests.beginRequest(request, options));
  for (const other of [{ headSha256: print('POST /devices') }, { bodySha256: print('{"a":1}') }])
    await expect(f.requests.beginRequest({ ...request, ...other }, options)).rejects.toMatchObject({
      kind: 'invalid_argument',
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
  await f.requests.endRequest({ ...first, answer }, options);
  expect((await f.requests.beginRequest(request, options)).state?.$case).toBe('answer');
});

test('what a try has made before it died is not made again, and what it has not is', async () => {
  const { options, during, list } = await sender();
  const request = asked();
  const first = begun(await f.requests.beginRequest(request, options));
  const api = await during({ id: first.requestId, tryNumber: 1, isOnce: true });
  await die(first.requestId);
  const second = begun(await f.requests.beginRequest(request, options));
  expect(second.tryNumber).toBe(2);
  const again = await during({ id: first.requestId, tryNumber: 2, isOnce: true });
  await again.create('Workspace', 'Once');
  // The first one was only slow: its transaction is undone.
  await expect(api.create('Workspace', 'Twice')).rejects.toMatchObject({ reason: 'REQUEST_DONE' });
  await die(first.requestId);
  await expect(f.requests.beginRequest(request, options)).rejects.toMatchObject({ reason: 'ANSWER_LOST' });
  expect((await list()).list.map(({ name }) => name)).toEqual(['Once']);
  // The answer of the try that was carried out is late, and not too late.
  await f.requests.endRequest({ ...second, answer }, options);
  expect((await f.requests.beginRequest(request, options)).state?.$case).toBe('answer');
});

test('a request that is refused has changed nothing, and is no try that was carried out', async () => {
  const { options, during } = await sender();
  const request = asked();
  const first = begun(await f.requests.beginRequest(request, options));
  const api = await during({ id: first.requestId, tryNumber: 1, isOnce: true });
  await expect(api.create('Workspace', '')).rejects.toMatchObject({ kind: 'invalid_argument' });
  await f.requests.endRequest({ ...first, answer: undefined }, options);
  expect(begun(await f.requests.beginRequest(request, options)).tryNumber).toBe(2);
});

test('answers are kept for 24 hours, then the key is new', async () => {
  const { options } = await sender();
  const [swept, old] = [asked(), asked()];
  for (const request of [swept, old]) {
    const first = begun(await f.requests.beginRequest(request, options));
    await f.requests.endRequest({ ...first, answer }, options);
  }
  const age = (key: Uint8Array, hours: number) =>
    f.database.query('UPDATE keyed_requests SET begun_at = now() - make_interval(hours => $2) WHERE key_sha256 = $1', [
      key,
      hours,
    ]);
  await age(swept.keySha256, 25);
  await age(old.keySha256, 23);
  await forgetRequests(f);
  expect((await f.requests.beginRequest(old, options)).state?.$case).toBe('answer');
  await age(old.keySha256, 25);
  for (const request of [swept, old])
    expect((await f.requests.beginRequest(request, options)).state?.$case).toBe('run');
});

test('what is kept goes with the account', async () => {
  const { options, ownerId } = await sender();
  begun(await f.requests.beginRequest(asked(), options));
  await f.owners.deleteAccount({ account: ownerId }, f.service);
  expect((await f.database.query('SELECT 1 FROM keyed_requests WHERE owner_id = $1', [ownerId])).rows).toEqual([]);
});
