import { readFileSync } from 'node:fs';
import { operator as de } from './de/operator.ts';

test('every kind of finding that the server reports has a German text', () => {
  const source = readFileSync(new URL('../../../packages/bus/src/finding.ts', import.meta.url), 'utf8');
  const [, listed = ''] = /FINDING_KINDS = \[([^\]]*)\]/.exec(source) ?? [];
  const kinds = [...listed.matchAll(/'(\w+)'/g)].map(([, kind]) => kind!);
  expect(kinds.length).toBeGreaterThan(10);
  expect(Object.keys(de.findingsOf).toSorted()).toEqual(kinds.toSorted());
});
