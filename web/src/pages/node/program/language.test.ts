import { readFileSync } from 'node:fs';
import { program as german } from '../../../words/de/program.ts';
import { program as english } from '../../../words/en/program.ts';
import { LIBRARIES, NAMES, OF_INPUTS, OF_NODES, READERS } from './language.ts';

const REFERENCE = readFileSync(
  new URL('../../../../../docs/reference/processing-and-ratings.md', import.meta.url),
  'utf8',
);
const section = (title: string) => REFERENCE.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const LANGUAGE = section('Program language').split('\n### ')[0] ?? '';

test('names that are offered are those of the reference, each with a sentence in both languages', () => {
  const documented = [...LANGUAGE.matchAll(/^\| (`[^|]*) \| /gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
    .flatMap(([, code = '']) => code.replace(/\(.*\)|\..*/, '').split(' '))
    .concat(/`require` knows/.test(LANGUAGE) ? 'require' : []);
  expect([...new Set(documented)].sort()).toEqual([...NAMES].sort());
  for (const { names } of [english, german]) expect(Object.keys(names).sort()).toEqual([...NAMES].sort());
  expect(Object.keys(READERS).filter((name) => !(NAMES as readonly string[]).includes(name))).toEqual([]);
});

test('libraries and attributes that are offered are those of the reference', () => {
  for (const [library, functions] of Object.entries(LIBRARIES))
    for (const name of [library, ...functions]) expect(LANGUAGE).toContain(`\`${name}\``);
  for (const name of [...OF_INPUTS, ...OF_NODES.filter((name) => name !== 'name')])
    expect(LANGUAGE).toContain(`.${name}\``);
});
