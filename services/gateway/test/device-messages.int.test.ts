import { DomainError } from '@catchment/errors';
import { openGateway } from './fixture.ts';

let gateway: Awaited<ReturnType<typeof openGateway>>;
let failure: DomainError | undefined;
beforeAll(async () => {
  gateway = await openGateway({
    behaviour: {
      unary: async () => {
        if (failure) throw failure;
        return '';
      },
    },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => {
  failure = undefined;
  gateway.calls.splice(0);
});

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

test('an uplink goes to devices with its key, event, address and password', async () => {
  const authorization = `Basic ${Buffer.from('any:hush').toString('base64')}`;
  const { status } = await post('/upload/lorawan/soap-laugh-corn?event=up', '{"a":1}', { authorization });
  expect(status).toBe(202);
  const [{ rpc, request, context } = {}] = gateway.calls as {
    rpc?: string;
    request?: object;
    context?: { caller: object };
  }[];
  expect(rpc).toBe('takeUplink');
  expect(request).toMatchObject({ key: 'soap-laugh-corn', event: 'up', password: 'hush', address: '127.0.0.1' });
  expect(String((request as { body: Buffer }).body)).toBe('{"a":1}');
  expect(context?.caller).toEqual({ kind: 'service', service: 'gateway' });
});

test('samples of SensorLog go to devices with their media type', async () => {
  expect((await post('/upload/sensorlog', 'a,b\n', { 'content-type': 'text/csv' })).status).toBe(202);
  expect(gateway.calls[0]?.request).toMatchObject({ mediaType: 'text/csv' });
});

test.each<[kind: ConstructorParameters<typeof DomainError>, status: number]>([
  [['invalid_argument', 'INVALID_UPLINK', 'body: must be a JSON object'], 400],
  [['unauthenticated', 'UNAUTHENTICATED', 'the password is missing or wrong'], 401],
  [['permission_denied', 'NOT_PERMITTED', 'the source is disabled'], 403],
  [['not_found', 'NOT_FOUND', 'x'], 404],
  [['resource_exhausted', 'TOO_MANY_FAILED_AUTHENTICATIONS', 'x'], 429],
  [['unavailable', 'RUNNER_AWAY', 'x'], 503],
])('%j is answered %d', async (error, status) => {
  failure = new DomainError(...error);
  const reply = await post('/upload/lorawan/k', '{}');
  expect(reply.status).toBe(status);
  if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Basic/);
});

test('nothing, too much and other methods are refused', async () => {
  expect((await post('/upload/lorawan/k', '')).status).toBe(400);
  expect((await post('/upload/lorawan/k', Buffer.alloc(256 * 1024 + 1, 0x20))).status).toBe(413);
  expect((await gateway.ask('/upload/lorawan/k', {})).status).toBe(405);
  expect(gateway.calls).toEqual([]);
});
