import { encoded } from './encoded.ts';
import { NodesDelete } from './generated/catchment/historic/v1/ingest.ts';

const some = (nodeIds: string[]): NodesDelete => NodesDelete.fromPartial({ nodeIds });

test('messages one after another are written as each by itself, and stay as they are', () => {
  const messages = [
    some(['a', 'b']),
    some([]),
    some(Array.from({ length: 100_000 }, (_, n) => `node ${n}`)),
    some(['c']),
  ];
  const written = messages.map((message) => encoded(NodesDelete, message));
  expect(written.map((bytes) => NodesDelete.decode(bytes))).toEqual(messages);
  expect(written.map((bytes) => bytes.byteLength)).toEqual(
    messages.map((message) => NodesDelete.encode(message).finish().byteLength),
  );
});

test('a message that cannot be written leaves nothing in the next one', () => {
  const broken = {
    nodeIds: [
      'a',
      {
        toString: () => {
          throw new Error('no text');
        },
      } as unknown as string,
    ],
  };
  expect(() => encoded(NodesDelete, { ...some([]), ...broken })).toThrow('no text');
  expect(NodesDelete.decode(encoded(NodesDelete, some(['b'])))).toEqual(some(['b']));
});
