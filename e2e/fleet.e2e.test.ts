import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isLong, until } from '@catchment/testkit';
import { compareStored, countStatuses, Fleet, killInTurns, startForFleets, VICTIMS } from './src/fleet.ts';
import { type Installation, runCatchment, startInstallation } from './src/installation.ts';
import { takeSessionsOver } from './src/session-takeover.ts';

const MODEMS = 20;
const MESSAGES = 12;
const SOURCES = 6;

// `npm run test:fleet` does the same with 500 modems for minutes.
describe.runIf(isLong)('while processes are killed', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await startForFleets();
  });
  afterAll(() => installation?.stop());

  test('what a fleet of modems with faults has sent is stored once, whatever is killed meanwhile', async () => {
    const seed = Number(process.env.FLEET_SEED ?? 1);
    const fleet = await Fleet.start(installation, { modems: MODEMS, messages: MESSAGES, seed, faultPercent: 5 });
    try {
      await fleet.connected();
      await killInTurns(installation, { names: VICTIMS, overMs: MESSAGES * 750, seed });
      const code = await fleet.ended(180_000);
      const journal = await fleet.journal();
      expect({ code, ...journal.counts }).toEqual({
        code: 0,
        sent: MODEMS * MESSAGES,
        acknowledged: MODEMS * MESSAGES,
        refused: 0,
      });
      const modems = await fleet.modems();
      await until(
        async () => {
          const { missing, surplus, different } = await compareStored(installation.api, modems, journal);
          expect({ missing, surplus, different }).toEqual({ missing: [], surplus: [], different: [] });
          return true;
        },
        { everyMs: 1_000 },
      );
      await until(async () => (await countStatuses(installation.api, modems)).IDLE === MODEMS, {
        everyMs: 1_000,
        what: 'every source is at rest',
      });
    } finally {
      await fleet.stop();
    }
  });

  test('the sessions of a process that is killed are begun anew by another one, never two of a source at once', async () => {
    const { most, killed, begunAnew } = await takeSessionsOver(installation, SOURCES);
    expect({ most, begunAnew }).toEqual({ most: 1, begunAnew: killed });
  });
});

test('a fleet reports the records of a file, and what was made for it is removed', async ({ onTestFinished }) => {
  const installation = await startInstallation();
  onTestFinished(() => installation.stop());
  const { api } = installation;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-fleet-'));
  const file = path.join(folder, 'level.csv');
  await writeFile(file, 'time,level\n2026-01-01 00:00:00,1\n2026-01-01 00:10:00,2\n2026-01-01 00:20:00,3\n');
  const counts = async () => [(await api.get('/devices')).json.length, (await api.get('/nodes')).json.length];
  const before = await counts();
  const { code, output } = await runCatchment(
    [
      'simulate',
      'fleet',
      '--register',
      '--remove',
      '--modems',
      '2',
      '--interval',
      '1',
      '--file',
      file,
      '--records',
      '2',
      '--port',
      String(await installation.listener('scout')),
    ],
    { CATCHMENT_URL: api.url, CATCHMENT_KEY: api.key },
  );
  await rm(folder, { recursive: true });
  expect(output).toContain('2 modems: 4 reports sent, 4 acknowledged, 0 refused, 0 unacknowledged');
  expect(output).toContain('2 modems removed');
  expect(code).toBe(0);
  expect(await counts()).toEqual(before);
});
