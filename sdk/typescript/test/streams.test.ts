import { failed, fake, page, sse } from './fake.ts';

const event = (n: number) => `id: c${n}\ndata: ${JSON.stringify({ message: String(n) })}`;

async function first(client: ReturnType<ReturnType<typeof fake>['client']>, count: number, options = {}) {
  const found: (readonly [string | undefined, string | undefined])[] = [];
  for await (const { event: received, id } of client.events.follow(options)) {
    found.push([(received as { message?: string }).message, id]);
    if (found.length === count) break;
  }
  return found;
}

test('a stream goes on behind the last message after whatever ended it', async () => {
  const { client, requests, slept } = fake(
    sse(['id: c0', event(1), ': heartbeat', event(2)], true),
    failed(503, 'Service temporarily unavailable', { 'Retry-After': '3' }),
    sse([event(3), 'event: end\nretry: 250\ndata: {"reason":"STOPPING"}']),
    sse([event(4)]),
  );
  expect(await first(client(), 4)).toEqual([1, 2, 3, 4].map((n) => [String(n), `c${n}`]));
  expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'c2', 'c2', 'c3']);
  expect(slept).toEqual([1, 3.55, 0.25]);
});

test('each place of a stream is reported once its messages are, also of one in which nothing has happened', async () => {
  const { client } = fake(sse(['id: c0', event(1), ': heartbeat\nid: c2', event(3)], true));
  const positions: string[] = [];
  const stream = client().events.follow({ onPlace: (id) => positions.push(id) });
  expect([(await stream.next()).value?.id, positions]).toEqual(['c1', ['c0']]);
  expect([(await stream.next()).value?.id, positions]).toEqual(['c3', ['c0', 'c1', 'c2']]);
  await stream.return(undefined);
});

test('signs that patterns take for ends of lines are signs of a message', async () => {
  const message = 'one\u2028two\u2029three\u0085';
  const { client } = fake(sse([`id: c1\ndata: ${JSON.stringify({ message })}`]));
  expect(await first(client(), 1)).toEqual([[message, 'c1']]);
});

test('a stream begins behind a place that was kept, and ends when it is asked to', async () => {
  const { client, requests } = fake(sse([event(9)]));
  expect(await first(client(), 1, { after: 'c8' })).toEqual([['9', 'c9']]);
  expect(requests[0]?.headers.get('last-event-id')).toBe('c8');
  const stop = new AbortController();
  const stream = client().events.follow({ signal: stop.signal });
  await stream.next();
  stop.abort(new Error('enough'));
  await expect(stream.next()).rejects.toThrow('enough');
});

test.each([
  ['a wrong key', failed(401, 'Unauthorized'), 'authentication', 1],
  ['a wrong filter', failed(400, 'filter: must be a filter'), 'argument', 1],
  ['too many streams', failed(429), 'rate_limited', 5],
  ['a page', page(200), 'unexpected', 1],
  ['no connection', new TypeError('fetch failed'), 'transport', 5],
])('a stream that cannot go on says why: %s', async (_what, answer, kind, tries) => {
  const { client, requests } = fake(answer);
  await expect(first(client(), 1)).rejects.toMatchObject({ kind });
  expect(requests).toHaveLength(tries);
});

test.each([
  [{ types: ['ALARM'] }, 'alarmState($ne:NONE)'],
  [
    { types: ['STATE', 'CONTROL'], filter: 'level($eq:ERROR)' },
    'eventType($eq:STATE),level($eq:ERROR)|eventType($eq:CONTROL),level($eq:ERROR)',
  ],
  [{ filter: 'level($eq:ERROR)' }, 'level($eq:ERROR)'],
])('%j becomes a filter', async (options, filter) => {
  const { client, query } = fake(sse([event(1)]));
  await first(client(), 1, options);
  expect(query().get('filter')).toBe(filter);
});

test('nodes are followed with what happens to them', async () => {
  const { client } = fake(sse(['id: n1\nevent: removed\ndata: {"_id":"1"}']));
  expect((await client().nodes.follow().next()).value).toEqual({ kind: 'removed', node: { _id: '1' }, id: 'n1' });
});
