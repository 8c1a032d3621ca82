import { isSubject } from './streams.ts';

test.each([
  ['nodes.node.changed.v1', true],
  ['ingest.3', true],
  ['dead.writer-1', true],
  ['nodes', false],
  ['nodes.', false],
  ['nodes.>', false],
  ['node.changed.v1', false],
])('%s is a subject of ours: %s', (subject, expected) => expect(isSubject(subject)).toBe(expected));
