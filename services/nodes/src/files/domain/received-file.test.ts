import { checkFilesOfDay, checkType, oldestOver } from './received-file.ts';

test.each([
  [[], 'anything'],
  [['jpg', 'PNG'], 'a.b.JPG'],
  [['jpg', 'PNG'], 'picture.png'],
])('a source that takes %j takes %s', (types, name) => {
  expect(() => checkType(types, name)).not.toThrow();
});

test.each([
  [['jpg'], 'picture.png'],
  [['jpg'], 'jpg'],
  [['jpg'], 'picture.jpg.exe'],
  [['jpg'], ''],
])('a source that takes %j refuses "%s", and says what it takes', (types, name) => {
  expect(() => checkType(types, name)).toThrow('file: must be of a type that the source takes: jpg');
});

test('a source takes 150 files a day', () => {
  expect(() => checkFilesOfDay(150)).not.toThrow();
  expect(() => checkFilesOfDay(151)).toThrow(expect.objectContaining({ reason: 'DAILY_LIMIT' }));
});

const attachment = (nodeId: string, createdMs: number, instanceId: string | null = null) => ({
  nodeId,
  createdMs,
  instanceId,
});

test.each([
  ['none while there is room', [attachment('a', 1), attachment('b', 2)], 2, []],
  ['the oldest', [attachment('a', 1), attachment('b', 3), attachment('c', 2)], 1, ['c', 'a']],
  ['of two of one moment the one with the lower id', [attachment('b', 1), attachment('a', 1)], 1, ['a']],
  ['none that a template gives, which counts for nothing', [attachment('a', 1, 'i'), attachment('b', 2)], 1, []],
])('goes: %s', (_what, attachments, most, ids) => {
  expect(oldestOver(attachments, most).map(({ nodeId }) => nodeId)).toEqual(ids);
});
