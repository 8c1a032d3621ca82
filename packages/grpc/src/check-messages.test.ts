import { HistoricServiceService } from '@catchment/contracts/historic';
import { checkingStream, checkingUnary } from './check-messages.ts';
import type { CallContext } from './index.ts';
import type { Method } from './transport.ts';

const method = HistoricServiceService.writeNow as unknown as Method;
const computed = HistoricServiceService.writeComputed as unknown as Method;
const stream = HistoricServiceService.readAggregateAt as unknown as Method;
const context = {} as CallContext;
const good = { nodeRef: 'x', body: Buffer.from('[]'), arrivalMs: 1 };

const answering =
  (response: unknown, handle: (request: unknown) => void = () => {}) =>
  (request: unknown, of = method) => {
    const handler = async () => {
      handle(request);
      return response;
    };
    return checkingUnary({ path: of.path, handler }, of).handler(request, context);
  };
const call = (request: unknown, of: Method) => answering(of === method ? { rows: 1, parts: [] } : {})(request, of);
const lone = '\ud800';
const series = {
  nodeId: 'n',
  empties: false,
  timestamps: Buffer.of(),
  numbers: Buffer.of(),
  texts: [],
  qualities: Buffer.of(),
  clears: undefined,
  removesAbsent: false,
};
const computedSeries = { ...series, toldFromMs: undefined, emptyTexts: [] };
const requestOf = (message: object) => ({
  ownerId: 'o',
  sourceId: 's',
  isAcquisition: false,
  series: [computedSeries, message],
});

class Point {
  nodeRef = 'x';
  body = Buffer.of();
  arrivalMs = 1;
}

test.each<[string, unknown, Method, string]>([
  ['a property that the contract does not know', { ...good, extra: 1 }, method, 'request.extra is 1'],
  ['an object of a class', new Point(), method, 'request is an object of Point'],
  ['half of a surrogate pair', { ...good, nodeRef: lone }, method, 'request.nodeRef is '],
  ['a number that is no integer', { ...good, arrivalMs: 1.5 }, method, 'request cannot be encoded'],
  [
    'a number of another size',
    requestOf({ ...computedSeries, emptyTexts: [2 ** 32 + 1] }),
    computed,
    'request cannot be encoded',
  ],
  ['a missing text', requestOf({ ...computedSeries, nodeId: undefined }), computed, 'request'],
  ['null for nothing', requestOf({ ...computedSeries, toldFromMs: null }), computed, 'request cannot be encoded'],
])('%s, which a wire would change, fails the call', async (_what, request, of, path) => {
  const failed = call(request, of);
  await expect(failed).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringContaining(`${of.path}: ${path}`),
  });
});

test.each<[string, unknown, Method]>([
  ['a Buffer', good, method],
  ['a Uint8Array', { ...good, body: new Uint8Array([1, 2]) }, method],
  ['what is undefined', requestOf({ ...computedSeries, toldFromMs: undefined }), computed],
  ['what is absent', requestOf({ ...series, emptyTexts: [] }), computed],
  [
    'NaN in bytes',
    requestOf({ ...computedSeries, numbers: Buffer.from(new Float64Array([Number.NaN]).buffer) }),
    computed,
  ],
])('%s crosses', async (_what, request, of) => {
  await call(request, of);
});

test('an answer is checked as requests are', async () => {
  await expect(answering({ rows: 1, parts: [], took: 5 })(good)).rejects.toThrow('WriteNow: response.took is 5');
  const handler = async function* () {
    yield { texts: [lone] };
  };
  const messages = checkingStream({ path: stream.path, handler }, stream).handler(
    { ownerId: '', nodeId: '', aggregate: '', baseTime: '', interval: '', timezone: '' },
    context,
  );
  await expect(Array.fromAsync(messages)).rejects.toMatchObject({ kind: 'internal' });
});

test('nobody changes a message that is given away, not even its bytes', async () => {
  const request = { ...good, body: Buffer.from('[]') };
  const change = answering({ rows: 1, parts: [] }, (taken) => {
    (taken as { nodeRef: string }).nodeRef = 'y';
  });
  await expect(change(request)).rejects.toThrow(TypeError);
  const fill = answering({ rows: 1, parts: [] }, (taken) => (taken as typeof request).body.fill(0));
  await expect(fill(request)).rejects.toThrow('bytes of the request were changed');
  const response = { rows: 1, parts: [] };
  expect(Object.isFrozen(await answering(response)(good))).toBe(true);
});
