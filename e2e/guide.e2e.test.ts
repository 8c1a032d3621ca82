// docs/station-guide.md, as a person does it: all of its commands in one shell, and what they answer.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, until } from '@catchment/testkit';
import { differenceOf, partsOf, Shell, stepsOf } from './src/guide.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

let installation: Installation;
let shell: Shell;
let page: string;

beforeAll(async () => {
  page = await readFile(path.join(ROOT, 'docs/station-guide.md'), 'utf8');
  installation = await startInstallation({ args: ['--no-demo'], env: environmentOf(page) });
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  shell = await Shell.open(env, ROOT);
});
afterAll(async () => {
  await shell?.close();
  await installation?.stop();
});

/** The settings of the line by which the page starts Catchment. */
function environmentOf(text: string): Record<string, string> {
  const line = /^(?:[A-Z_]+=\S+ )+(?=npm start$)/m.exec(text)?.[0] ?? '';
  return Object.fromEntries(
    line
      .trim()
      .split(' ')
      .map((setting) => setting.split('=', 2)),
  );
}

test('a field engineer sets a station up, breaks it and repairs it by the commands of the guide', async () => {
  const [start, settings, ...steps] = stepsOf(page);
  expect(start?.commands).toContain('npm start');
  const own = {
    CATCHMENT: installation.url,
    KEY: installation.api.key,
    SCOUT_PORT: await installation.listener('scout'),
    CALLBACK_PORT: await installation.listener('callback'),
    FILES_PORT: await freePort(),
  };
  expect([...(settings?.commands ?? '').matchAll(/(\w+)=/g)].map(([, name]) => name)).toEqual(Object.keys(own));
  await shell.run(
    Object.entries(own)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  );
  expect(steps.length).toBeGreaterThan(15);
  for (const step of steps) {
    const { doing, reading } = partsOf(step);
    const done = await shell.run(doing);
    let difference = reading === '' ? differenceOf(step, done) : 'not asked yet';
    if (reading !== '') {
      const answered = async () => {
        difference = differenceOf(step, done + (await shell.run(reading)));
        return difference === undefined;
      };
      await until(answered, { everyMs: 250 }).catch(() => undefined);
    }
    if (difference !== undefined) throw new Error(`docs/station-guide.md, line ${step.line}: ${difference}`);
  }
});
