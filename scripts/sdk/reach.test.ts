import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@catchment/client';
import { describe, expect, test } from 'vitest';
import { type Description, operationsOf } from '../check/sdk-operations.ts';

const SDK = path.resolve(import.meta.dirname, '../../sdk');
const read = (file: string) => readFile(path.join(SDK, file), 'utf8');
const operations = operationsOf(JSON.parse(await read('openapi.json')) as Description);
const ids = operations.map(({ id }) => id).sort();

/** Returns those of a list in the text of a program, by what a line looks like: its name, then what it says. */
const listed = (text: string, from: string, line: RegExp): Map<string, string> => {
  const [, rest = ''] = text.split(from);
  const [list = ''] = rest.split(/^[})]$/m);
  return new Map([...list.matchAll(line)].map(([, name = '', said = '']) => [name, said]));
};

describe.each([
  {
    client: 'Python',
    table: {
      file: 'python/src/catchment/_generated/operations.py',
      from: 'OPERATIONS: ',
      line: /^ {4}"(\w+)": Operation\((.+)\),$/gm,
    },
    leftOut: { file: 'python/src/catchment/_calls.py', from: 'LEFT_OUT: ', line: /^ {4}"(\w+)": "(.+)",$/gm },
  },
  {
    client: 'R',
    table: { file: 'r/R/operations.R', from: 'OPERATIONS <- ', line: /^ {2}(\w+) = list\((.+)\),?$/gm },
    leftOut: { file: 'r/R/call-api.R', from: 'LEFT_OUT <- ', line: /^ {2}(\w+) = "(.+)",?$/gm },
  },
])('the client of $client', ({ table, leftOut }) => {
  const of = async ({ file, from, line }: typeof table) => listed(await read(file), from, line);

  test('knows each operation of the API as the description has it', async () => {
    const known = await of(table);
    expect([...known.keys()].sort()).toEqual(ids);
    for (const { id, method, path: place } of operations) {
      expect(known.get(id)).toContain(`"${method}"`);
      expect(known.get(id)).toContain(`"${place}"`);
    }
  });

  test('leaves out none without a reason, none that it could call with a key, and none that is not there', async () => {
    const without = await of(leftOut);
    expect(ids).toEqual(expect.arrayContaining([...without.keys()]));
    for (const reason of without.values()) expect(reason.length).toBeGreaterThan(8);
    for (const { id, takesKeys } of operations) if (!takesKeys) expect([...without.keys()]).toContain(id);
  });
});

describe('the client of TypeScript', () => {
  test('reaches each operation by its path', async () => {
    const asked: string[] = [];
    const fetch = async ({ method, url }: Request) => {
      asked.push(`${method} ${new URL(url).pathname}`);
      return new Response('{}', { headers: { 'Content-Type': 'application/json' } });
    };
    const client = new Client({ url: 'https://catchment.test', key: 'k', fetch });
    for (const { method, path: place, pathArguments, body } of operations) {
      // Types know the path and its method; here each of them is called.
      const call = client.api[method as 'GET'] as unknown as (place: string, init: object) => Promise<unknown>;
      const given = Object.fromEntries(pathArguments.map((name) => [name, 'a/b']));
      await call(place, { params: { path: given }, ...(body && { body: { file: 'x' } }) });
    }
    const expected = operations.map(({ method, path: place }) => `${method} ${place.replaceAll(/\{\w+\}/g, 'a%2Fb')}`);
    expect(asked).toEqual(expected);
  });

  test('has a type for each operation', async () => {
    const types = await read('typescript/src/generated/api.ts');
    const [, declared = ''] = types.split('export interface operations {');
    const named = [...declared.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(ids);
  });
});
