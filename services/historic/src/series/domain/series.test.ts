import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '@catchment/time';
import { isDataSource, qualityOfStates, type SeriesNode, seriesOf, writableSeries } from './series-node.ts';
import { SourceIndex } from './source-index.ts';
import { clampToStore, isStorable } from './store-range.ts';

const node = (nodeId: string, more: object = {}, series?: object): NodeConfig =>
  NodeConfig.fromPartial({ nodeId, name: nodeId, revision: 1, ...more, ...(series && { series }) });

test.each([
  ['the first time that can be stored', MIN_RECORD_MS, true],
  ['the one before it', MIN_RECORD_MS - 1, false],
  ['the last one', MAX_RECORD_MS, true],
  ['the one after it', MAX_RECORD_MS + 1, false],
])('%s: %d is a time of a record: %s, and a bound is moved to where records can be', (_what, ms, expected) => {
  expect(isStorable(ms)).toBe(expected);
  expect(clampToStore(ms) === ms).toBe(expected);
});

test.each([
  ['source.data.TextParser', true],
  ['source.data.Processor', false],
  ['source.attachment.AttachmentSource', false],
  ['point.NumberPoint', false],
])('%s takes writes for several parameters: %s', (name, expected) => {
  expect(isDataSource(node('n', { class: name }))).toBe(expected);
});

test('a node without a series has no records, and a computed one takes none', () => {
  expect(() => seriesOf(node('n'), 'a read')).toThrow(expect.objectContaining({ reason: 'NODE_KIND' }));
  const computed = node('n', {}, { writable: false }) as SeriesNode;
  expect(() => writableSeries(computed)).toThrow(expect.objectContaining({ reason: 'NODE_READ_ONLY' }));
});

test('states give a quality only where one of them has a code', () => {
  const text = (states: object[]) =>
    qualityOfStates(node('n', {}, { valueType: ValueType.VALUE_TYPE_TEXT, states }) as SeriesNode);
  expect(text([{}])).toBeUndefined();
  expect(text([{ qualityCode: 5 }])).toBeTypeOf('function');
});

const index = (...nodes: NodeConfig[]) => {
  const made = new SourceIndex();
  for (const one of nodes) made.put(one);
  return made;
};

test.each([
  ['a series key', (found: SourceIndex) => found.bySeries('level')],
  ['an id', (found: SourceIndex) => found.byReference('a'.repeat(24))],
  ['a customId', (found: SourceIndex) => found.byReference('@gate')],
])('a document names a parameter by %s', (_what, find) => {
  const wanted = node('a'.repeat(24), { customId: 'gate' }, { seriesKey: 'level' });
  expect(find(index(node('b'.repeat(24)), wanted))).toBe(wanted);
});

test('a parameter without a series key adopts the one of its name, whatever the case', () => {
  const free = node('Level', {}, { seriesKey: '' });
  expect(index(free, node('Flow', {}, { seriesKey: 'flow' })).adopting('LEVEL')).toBe(free);
  expect(index(node('Flow', {}, { seriesKey: 'x' })).adopting('flow')).toBeUndefined();
});

test('an older revision changes nothing, a newer one leaves no old name behind', () => {
  const found = index(node('n', { revision: 2 }, { seriesKey: 'new' }));
  found.put(node('n', { revision: 1 }, { seriesKey: 'old' }));
  expect([found.bySeries('new')?.revision, found.bySeries('old')]).toEqual([2, undefined]);
  found.put(node('n', { revision: 3 }, { seriesKey: 'newest' }));
  expect([found.bySeries('newest')?.revision, found.bySeries('new')]).toEqual([3, undefined]);
  found.remove('n');
  expect([found.all(), found.bySeries('newest')]).toEqual([[], undefined]);
});
