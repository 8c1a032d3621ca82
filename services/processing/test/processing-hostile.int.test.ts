// Programs that want to break out, to stay, or to stop the others: each ends within its limits with what its file says, and afterwards
// the same runner serves another account.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Given, openSandbox, START_MS, textsOf, valuesOf } from './processing-language-harness.ts';

const FOLDER = path.join(import.meta.dirname, 'hostile');
/**
 * The files say this of programs that never end by themselves. Here they get less: there are many of them. All others
 * get as long as they take.
 */
const TOO_LONG = 'took longer than 0.2 s';
const SHORT_MS = 50;
const LONG_MS = 60_000;

const { run, logged, close } = openSandbox();
afterAll(close);

const programs = readdirSync(FOLDER).map((name) => {
  const code = readFileSync(path.join(FOLDER, name), 'utf8');
  const [, what = '', outcome = '', text = ''] = /^\/\/ (.*)\n\/\/ (ends|gives): (.*)\n/.exec(code) ?? [];
  const kind = code.includes('\n// processor\n') ? ('processor' as const) : ('parameter' as const);
  return { name: name.replace('.js', ''), code, what, outcome, text, kind };
});

test('there are many of them, and each says how it ends', () => {
  expect(programs.length).toBeGreaterThan(100);
  expect(programs.filter(({ what, outcome, text }) => !what || !outcome || !text)).toEqual([]);
});

test.each(programs)('$name: $what', async ({ code, outcome, text, kind }) => {
  const limitMs = text.includes(TOO_LONG) ? SHORT_MS : LONG_MS;
  const given: Given = {
    kind,
    times: [START_MS, START_MS + 1_000],
    limitMs,
    keepsConsole: true,
    account: 'hostile',
    ...(kind === 'processor' && { outputs: { Out: 'NUMBER' as const } }),
  };
  const result = await run(code, given);
  expect(result.runs).toBe(2);
  if (outcome === 'ends') {
    expect([valuesOf(result), result.failed]).toEqual([[], 2]);
    for (const { message } of result.failures)
      expect(message).toMatch(new RegExp(text.replaceAll(TOO_LONG, `took longer than ${limitMs / 1_000} s`)));
  } else {
    const values = text.split(',').map(Number);
    expect([textsOf(result), valuesOf(result)]).toEqual([[], [...values, ...values]]);
  }
  expect(result.failures.every(({ message }) => message.length <= 600)).toBe(true);
  expect(result.console.length).toBeLessThanOrEqual(1_000);
  const other = await run("return NUMBER('A') * 2 + T(NOW).year()", {
    inputs: { A: { values: [1, 2] } },
    account: 'other',
  });
  expect([textsOf(other), valuesOf(other)]).toEqual([[], [2026, 2028]]);
});

test('the log reports runners that were ended, with the node, and nothing of programs', () => {
  const ends = logged.filter(({ text }) => text === 'runner ended');
  expect(ends.length).toBeGreaterThan(0);
  for (const { facts } of ends) expect(facts).toEqual({ death: 'stuck', nodeId: 'this', work: 'run' });
  expect(new Set(logged.map(({ text }) => text))).toEqual(new Set(['runner started', 'runner ended']));
});
