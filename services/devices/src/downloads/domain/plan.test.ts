import type { FetchedFile } from '../../files/domain/fetched-file.ts';
import { planOf } from './plan.ts';

const RULES = { readsAll: false, mayGrow: true, acquireTimeMs: undefined };
const KNOWN: FetchedFile = { key: 'k', sizeBytes: 100, modifiedMs: 5, head: 'h', readTo: 90, lines: 9 };

test.each([
  ['is new', undefined, {}, {}, 'WHOLE'],
  ['is as it was', KNOWN, {}, {}, 'NOTHING'],
  ['is as it was, as far as is known', KNOWN, { modifiedMs: undefined }, {}, 'NOTHING'],
  ['has another time', KNOWN, { modifiedMs: 6 }, {}, 'WHOLE'],
  ['is shorter', KNOWN, { sizeBytes: 99 }, {}, 'WHOLE'],
  ['has grown', KNOWN, { sizeBytes: 101 }, {}, 'GROWN'],
  ['has grown, of a class that is read whole', KNOWN, { sizeBytes: 101 }, { mayGrow: false }, 'WHOLE'],
  ['has grown, without a whole line before', { key: 'k', sizeBytes: 100, head: 'h' }, { sizeBytes: 101 }, {}, 'WHOLE'],
  ['has no size', KNOWN, { sizeBytes: undefined }, {}, 'WHOLE'],
  ['is read whole each time', KNOWN, {}, { readsAll: true }, 'WHOLE'],
  ['is collected anew', KNOWN, {}, { acquireTimeMs: 1 }, 'WHOLE'],
  ['was collected anew', { ...KNOWN, acquireTimeMs: 1 }, {}, { acquireTimeMs: 1 }, 'NOTHING'],
  ['was ignored', { key: 'k', isIgnored: true }, {}, {}, 'WHOLE'],
] as const)('a file that %s', (_what, known, listed, rules, kind) => {
  const file = { sizeBytes: 100, modifiedMs: 5, ...listed };
  expect(planOf(file as never, known, { ...RULES, ...rules }).kind).toBe(kind);
});
