import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { wholeProgram } from '../command-line/program.ts';
import { SHELLS, scriptFor } from './completion-command.ts';
import { type CommandWords, wordsOf } from './words.ts';

const run = promisify(execFile);
/** The reasons why a shell is not tried here. Debian's packages are zsh and fish. */
const missing = new Map<string, string>();
let folder: string;
let words: CommandWords[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-completion-'));
  await writeFile(path.join(folder, 'catchment.toml'), '[profiles.home]\nurl = "a"\n[profiles.test-2]\nkey = "b"\n');
  words = wordsOf(await wholeProgram());
  for (const shell of SHELLS) {
    await writeFile(path.join(folder, `catchment.${shell}`), await scriptFor(shell, wholeProgram));
    await run(shell, ['-c', 'exit 0']).catch(() => missing.set(shell, `${shell} is not installed on this machine`));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Makes each shell print what it would offer behind some words, a line a word; the last word is the one under the
 * cursor.
 */
const ASK: Readonly<Record<(typeof SHELLS)[number], (line: readonly string[]) => string>> = {
  bash: (line) => `source '${folder}/catchment.bash'
    COMP_WORDS=(catchment ${line.map(quoted).join(' ')}); COMP_CWORD=${line.length}
    _catchment; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line) => `
    compadd() { local -a given; given=("$@"); shift 'given[(i)--]'; print -l -- "$@" }
    _describe() { print -l -- \${found%%:*} }; _files() { print -- FILES }
    source '${folder}/catchment.zsh'
    words=(catchment ${line.map(quoted).join(' ')}); CURRENT=$#words; PREFIX=${quoted(line.at(-1) ?? '')}
    _catchment`,
  fish: (line) =>
    `source '${folder}/catchment.fish'; complete -C ${quoted(`catchment ${line.join(' ')}`)} | string replace -r '\\t.*' ''; true`,
};
const quoted = (word: string): string => `'${word}'`;

const CASES: readonly (readonly [line: readonly string[], offered: readonly string[]])[] = [
  [['ba'], ['backup']],
  [
    ['backup', ''],
    ['create', 'list', 'verify'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['read', '@level', '--format', ''],
    ['CSV', 'JSON', 'ARROW', 'PARQUET', 'RDB', 'WATERML2', 'COVJSON'],
  ],
  [
    ['read', '--profile', ''],
    ['home', 'test-2'],
  ],
  [['tail', 'events', '--fol'], ['--follow']],
];

describe.each(SHELLS)('%s', (shell) => {
  test.for(CASES)('%j offers %j', async ([line, offered], { skip }) => {
    const why = missing.get(shell);
    if (why !== undefined) skip(why);
    const { stdout, stderr } = await run(shell, ['-c', ASK[shell](line)], {
      env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder },
    });
    const last = line.at(-1) ?? '';
    const found = stdout.split('\n').filter((word) => word !== '' && word.startsWith(last));
    expect([stderr, found.sort()]).toEqual(['', [...offered].sort()]);
  });
});

test('bash knows every command with its options', async () => {
  const asked = words.map(({ path: at }) => `${ASK.bash([...at.split(' ').filter(Boolean), '--'])}; echo`);
  const { stdout } = await run('bash', ['-c', asked.join('\n')]);
  const offered = stdout.split('\n\n').map((line) => line.split('\n').filter(Boolean));
  for (const [n, { options }] of words.entries())
    expect(offered[n]).toEqual(options.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))));
});

test('an option whose value nobody knows offers files', async () => {
  const { stdout } = await run('bash', ['-c', ASK.bash(['read', '--output', ''])]);
  expect(stdout.trim()).toBe('');
});
