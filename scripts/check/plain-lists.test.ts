import { readFile } from 'node:fs/promises';
import path from 'node:path';

test('no folder is left out of the rule about spread literals', async () => {
  const { overrides } = JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../biome.json'), 'utf8')) as {
    overrides: { includes: string[]; plugins?: string[] }[];
  };
  const rule = overrides.find(({ plugins }) => plugins?.includes('./scripts/check/plain-lists.grit'));
  expect(rule?.includes).toEqual(['**']);
});
