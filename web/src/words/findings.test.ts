import { readFileSync } from 'node:fs';
import { operator as de } from './de/operator.ts';

type Schema = { readonly enum?: readonly string[] } & { readonly [name: string]: Schema };

test('every kind of finding that the API tells has a German text, with the values that it names', () => {
  const api = JSON.parse(readFileSync(new URL('../../../sdk/openapi.json', import.meta.url), 'utf8'));
  const answer = api.paths['/api/v1/operator/health'].get.responses[200].content['application/json'].schema as Schema;
  const kinds = answer.properties?.findings?.items?.properties?.kind?.enum ?? [];
  expect(kinds.length).toBeGreaterThan(10);
  expect(Object.keys(de.findingsOf).toSorted()).toEqual([...kinds].toSorted());
});
