import type { WriteComputedRequest } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { grpcSeriesWriter } from './series-writer.ts';

const output = { nodeId: 'n', name: 'Out', valueType: ValueType.VALUE_TYPE_TEXT };

/** Returns what is sent to historic of texts at the times 1, 2, 3 … */
async function sent(values: readonly (string | undefined)[]): Promise<WriteComputedRequest[]> {
  const requests: WriteComputedRequest[] = [];
  const historic = { writeComputed: async (request: WriteComputedRequest) => void requests.push(request) };
  const writer = grpcSeriesWriter(historic as never, { sign: async () => 'token' });
  const series = { output, times: values.map((_, n) => n + 1), values, qualities: values.map(() => undefined) };
  const options = { empties: false, toldFromMs: 0, isAcquisition: false };
  await writer.write({ ownerId: 'o', sourceId: 's' }, [series], options, AbortSignal.timeout(10_000));
  return requests;
}

test('an empty text is a value, and distinguished from none', async () => {
  const [request] = await sent(['a', '', undefined, '']);
  expect(request?.series).toMatchObject([{ texts: ['a', '', '', ''], emptyTexts: [1, 3] }]);
});

test('positions of empty texts are those of the part that they come in', async () => {
  const parts = await sent([...Array.from({ length: 50_000 }, () => 'x'), 'y', '', 'z']);
  expect(parts.map(({ series }) => series.map(({ texts, emptyTexts }) => [texts.length, emptyTexts]))).toEqual([
    [[50_000, []]],
    [[3, [1]]],
  ]);
});
