import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const SPREAD_OF_LITERAL = /\.\.\.(?:\{[^{}]*\}|\[[^[\]]*\])\s*[,)\]}]/;

/** The folders that biome.json leaves out of plain-lists.grit. */
async function leftOut(): Promise<string[]> {
  const { overrides } = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8')) as {
    overrides: { includes: string[]; plugins?: string[] }[];
  };
  const rule = overrides.find(({ plugins }) => plugins?.includes('./scripts/check/plain-lists.grit'));
  return (rule?.includes ?? []).filter((name) => name.startsWith('!')).map((name) => name.slice(1));
}

test('each folder that may still spread literals does, or it must leave the list, which gets no new folder', async () => {
  const folders = await leftOut();
  expect(folders.length).toBeLessThanOrEqual(1);
  for (const folder of folders) {
    let found = false;
    for await (const file of glob(`${folder}/*.{ts,tsx}`, { cwd: root, exclude: (name) => name === 'node_modules' }))
      found ||= SPREAD_OF_LITERAL.test(await readFile(path.join(root, file), 'utf8'));
    expect({ folder, found }).toEqual({ folder, found: true });
  }
});
