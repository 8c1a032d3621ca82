import { readFileSync } from 'node:fs';
import { de } from './de.ts';

/** They belong to calls between services, to backups and to operators, who read the words of `catchment doctor` in English, too. */
const MET_BY_NOBODY = new Set([
  'BAD_METHOD_OVERRIDE',
  'BAD_SESSION',
  'BATCH_UNREADABLE',
  'COLUMN_PARTS_MISSING',
  'COPY_CUT',
  'ENTRY_UNKNOWN',
  'INFLUX_REFUSED_LINES',
  'KEY_IN_USE',
  'LAYOUT_UNKNOWN',
  'LETTER_OVERWRITES',
  'MESSAGE_TOO_LARGE',
  'MESSAGE_UNREADABLE',
  'OWNER_NEEDED',
  'PREFIX_NEEDED',
  'READER_UNKNOWN',
  'SERIES_MOVED',
  'SHARD_AWAY',
  'SHARD_IN_USE',
  'SHARD_MOVE_OPEN',
  'SHARD_NOT_ACTIVE',
]);

test('every reason of a refusal that the kind of a failure does not explain has a German sentence', () => {
  const listed = readFileSync(new URL('../../../docs/reference/reasons.md', import.meta.url), 'utf8');
  const [, ofArguments = ''] = /\n## 400\n([\s\S]*?)\n## /.exec(listed) ?? [];
  const reasons = [...ofArguments.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason!);
  expect(reasons.length).toBeGreaterThan(100);
  expect(reasons.filter((reason) => !MET_BY_NOBODY.has(reason) && !Object.hasOwn(de.errors.reasons, reason))).toEqual(
    [],
  );
  const known = new Set([...listed.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason));
  expect(Object.keys(de.errors.reasons).filter((key) => !known.has(key))).toEqual([]);
});
