import { readFileSync } from 'node:fs';
import { COLUMNS_MAX, QUALITY_MAX, RECORDS_MAX, TEXT_MAX } from './record-limits.ts';

const page = (name: string) => readFileSync(new URL(`../../../docs/reference/${name}.md`, import.meta.url), 'utf8');
const grouped = (count: number) => new Intl.NumberFormat('fr').format(count).replace(/\s/g, ' ');

test.each([
  ['limits', `quality code | 0 to ${grouped(QUALITY_MAX)} |`],
  ['limits', `text value | ${grouped(TEXT_MAX)} |`],
  ['limits', `columns of a write | ${grouped(COLUMNS_MAX)} |`],
  ['limits', `records of a write | ${grouped(RECORDS_MAX)} |`],
  ['parameters', `text of up to ${grouped(TEXT_MAX)} characters`],
])('the page of %s says «%s»', (name, text) => {
  expect(page(name)).toContain(text);
});
