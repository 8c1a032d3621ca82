import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { pathOf, withAll } from './command-tree.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { programFor, wholeProgram } from './program.ts';
import { referenceOf } from './reference.ts';

let all: Command[];
beforeAll(async () => {
  all = withAll(await wholeProgram()).slice(1);
});
const leaves = () => all.filter(({ commands }) => commands.length === 0);

test('every command takes --json, and says what it does', () => {
  const without = leaves().filter(({ options }) => !options.some(({ long }) => long === '--json'));
  expect(without.map(pathOf)).toEqual([]);
  expect(all.filter((command) => command.description() === '').map(pathOf)).toEqual([]);
});

test('no option and no argument is without a word about it', () => {
  const silent = leaves().flatMap((command) => [
    ...command.options.flatMap(({ flags, description, argChoices }) =>
      description || argChoices ? [] : [`${pathOf(command)} ${flags}`],
    ),
  ]);
  expect(silent).toEqual([]);
});

test('two options of a command have no name in common', () => {
  const twice = leaves().flatMap((command) => {
    const names = command.options.flatMap(({ long, short }) => [long, short]).filter(Boolean);
    return names.filter((name, n) => names.indexOf(name) !== n).map((name) => `${pathOf(command)} ${name}`);
  });
  expect(twice).toEqual([]);
});

test('the help names every command once, in its group', async () => {
  const help = (await programFor(['--help'])).helpInformation();
  for (const { name, group } of COMMANDS) {
    expect(help.match(new RegExp(`^  ${name} `, 'gm'))).toHaveLength(1);
    expect(GROUPS).toContain(group);
  }
});

test.each([[['read', '--help']], [['help', 'read']], [['read', '@a', '--json']]])(
  '%j loads one command',
  async (args) => {
    const { commands } = await programFor(args);
    expect(commands.map((command) => command.name())).toEqual(['read']);
    expect(commands[0]?.options.length).toBeGreaterThan(5);
  },
);

test('the help of all commands loads none of them', async () => {
  const { commands } = await programFor(['--help']);
  expect(commands.flatMap(({ options }) => options).filter(({ long }) => long !== '--json')).toEqual([]);
  expect([...(await staticImports(path.resolve(import.meta.dirname, '../main.ts')))].sort()).toEqual([
    'command-line/command-tree.ts',
    'command-line/commands.ts',
    'command-line/exit-codes.ts',
    'command-line/failure.ts',
    'command-line/interrupted.ts',
    'command-line/printed.ts',
    'command-line/program.ts',
    'command-line/version.ts',
    'commander',
    'error-text.ts',
    'main.ts',
    'node:fs',
    'node:os',
    'node:path',
    'start/paths.ts',
  ]);
});

test('the page of commands is made of them: npm run generate writes it', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/reference/commands.md'), 'utf8');
  expect(page.endsWith(referenceOf(await wholeProgram()))).toBe(true);
  for (const [name, code] of Object.entries(EXIT))
    expect(page).toContain(`| ${code} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`);
});

/** Lists what a file needs before its first line runs, by names below `src` or of packages. */
async function staticImports(file: string, found = new Set<string>()): Promise<Set<string>> {
  const name = path.relative(path.resolve(import.meta.dirname, '..'), file);
  if (found.has(name)) return found;
  found.add(name);
  const text = await readFile(file, 'utf8');
  for (const [, clause = '', from = ''] of text.matchAll(/^import ([^;]*?)from '([^']+)';$/gms)) {
    const isOfTypes =
      clause.startsWith('type ') ||
      clause
        .replaceAll(/[{}\s]/g, '')
        .split(',')
        .every((part) => part.startsWith('type') && part !== 'type');
    if (isOfTypes) continue;
    if (from.startsWith('.')) await staticImports(path.resolve(path.dirname(file), from), found);
    else found.add(from);
  }
  return found;
}
