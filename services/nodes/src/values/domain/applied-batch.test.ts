import { type Edges, NO_EDGES } from '../../shown/index.ts';
import { countersChanges, valuesChanges } from './applied-batch.ts';
import { mergeEdges } from './series-value.ts';

describe('current, previous and oldest', () => {
  const at = (ms: number, value = ms) => ({ ms, value, quality: null });
  const show = ({ current, previous, oldest }: Edges) =>
    [current, previous, oldest].map((record) => record?.value ?? null);
  const write = (...newest: ReturnType<typeof at>[]) => ({ newest, oldest: newest.at(-1) ?? null });
  const before: Edges = { current: at(20), previous: at(10), oldest: at(5) };
  test.each([
    ['the first record is all three but previous', NO_EDGES, write(at(7)), [7, null, 7]],
    ['a newer record moves the current one back', before, write(at(30)), [30, 20, 5]],
    ['a record in between becomes previous', before, write(at(15)), [20, 15, 5]],
    ['an older record changes only the oldest', before, write(at(1)), [20, 10, 1]],
    ['the same time is overwritten', before, write(at(20, 99)), [99, 10, 5]],
    ['two newer records', before, write(at(40), at(30)), [40, 30, 5]],
    ['the oldest is overwritten', before, write(at(5, 55)), [20, 10, 55]],
    ['a write without values changes nothing', before, { newest: [], oldest: null }, [20, 10, 5]],
  ])('%s', (_what, edges, written, shown) => {
    const after = mergeEdges(edges, written);
    expect(show(after)).toEqual(shown);
    expect(mergeEdges(after, written)).toEqual(after);
  });

  const change = { nodeId: 'a', ownerId: 'o', modifiedMs: 5, written: write(at(1)), recompute: false };
  const lost = { ...change, recompute: true };
  const reported: Edges = { current: at(3), previous: at(2), oldest: at(1) };
  const gone = { nodeId: 'a', ownerId: 'o', timeMs: 6, username: 'jo' };
  const wrote = (...series: (typeof change & { edges?: Edges })[]) => ({ series, deleted: [] });
  test.each<[string, Parameters<typeof valuesChanges>[0], object]>([
    [
      'written and deleted in one message, whichever came first',
      [{ series: [change], deleted: [gone] }],
      { base: 'ask' },
    ],
    [
      '… with what the store had afterwards',
      [{ series: [{ ...lost, edges: reported }], deleted: [gone] }],
      { base: reported },
    ],
    ['deleted twice', [{ series: [], deleted: [gone, gone] }], { base: 'none', updatedMs: 6 }],
    ['written twice', [wrote(change), wrote(change)], { base: 'known', written: [{}, {}] }],
    ['values may have gone, and more is written', [wrote(lost), wrote(change)], { base: 'ask' }],
    [
      '… what is written is added to what was reported',
      [wrote({ ...lost, edges: reported }), wrote(change)],
      { base: reported, written: [{}] },
    ],
    [
      'what is reported later counts',
      [wrote(lost), wrote({ ...lost, edges: reported })],
      { base: reported, written: [] },
    ],
    [
      'deleted, then written in another message',
      [{ series: [], deleted: [gone] }, wrote(change)],
      { base: 'none', written: [{}] },
    ],
  ])('what becomes of a series that was %s', (_what, batches, expected) => {
    expect(valuesChanges(batches)).toMatchObject([expected]);
  });
});

test('a write counts as many pushes as there were messages, one of a session as none', () => {
  const wrote = { nodeId: 'n', isSource: true, rows: 2, parameters: 1, timeMs: 5, username: '', origin: 'MQTT' };
  const acquisitions = [wrote, { ...wrote, deliveries: 3 }, { ...wrote, inSession: true }];
  expect(countersChanges(acquisitions as never)).toMatchObject([{ nodeId: 'n', count: 4 }]);
});
