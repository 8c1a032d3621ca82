// docs/station-guide.md works as a person does it: all of its commands in one shell, and what they answer.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, HANGS_AFTER_MS, QUIET_BROWSER, testChromium, until } from '@catchment/testkit';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
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

/** Reads the settings of the line by which the page starts Catchment. */
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
    // Its last step deletes what the page shows.
    if (step.commands.includes('PAGE=')) await expectPage((await shell.run('echo "$PAGE"')).trim());
  }
  expect(seen).toBe(true);
});

let seen = false;

/** The page of the station shows what the guide has measured. Where GUIDE_PICTURE names a file, it becomes the picture of the guide. */
async function expectPage(address: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: await testChromium(), args: QUIET_BROWSER });
  try {
    const shown = await browser.newPage({ viewport: { width: 1000, height: 640 } });
    shown.setDefaultTimeout(HANGS_AFTER_MS);
    await shown.goto(address);
    await shown.getByRole('heading', { level: 1, name: 'Ridge camp' }).waitFor();
    const tile = (label: string) => shown.getByRole('article', { name: label, exact: true });
    await tile('Weather').locator('canvas').waitFor();
    for (const [label, text] of [
      ['Weather', '10.4 °C'],
      ['Gate and logger', '14.5'],
      ['Gate and logger', 'Setpoint'],
      ['Alarms', '2 alarms in the last day'],
    ] as const)
      await tile(label).getByText(text).first().waitFor();
    await tile('Tank')
      .getByText(/^\d\.\d+$/)
      .waitFor();
    const file = process.env.GUIDE_PICTURE;
    if (file)
      await sharp(await shown.screenshot({ fullPage: true }))
        .webp({ quality: 80, effort: 6 })
        .toFile(file);
    seen = true;
  } finally {
    await browser.close();
  }
}

test('the picture of the page is there, small, and has a text in its place', async () => {
  const [, text = '', file = ''] = /^!\[([^\]]*)\]\(([^)]*station\.webp)\)$/m.exec(page) ?? [];
  expect(text.length).toBeGreaterThan(80);
  const bytes = await readFile(path.join(ROOT, 'docs', file));
  expect([bytes.subarray(8, 12).toString(), bytes.length < 100_000]).toEqual(['WEBP', true]);
});
