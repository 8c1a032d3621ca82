import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Bus } from '@catchment/bus';
import { EventRecorded } from '@catchment/contracts/events';
import { DomainError } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { type TestNats, testNats, until } from '@catchment/testkit';

const MAIN = path.resolve(import.meta.dirname, '../main.ts');
const SUBJECT = 'events.event.recorded.v1';
const log = createLogger('test', { level: 'silent' });
let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await testNats();
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
});
afterAll(async () => {
  await bus?.close();
  await nats?.drop();
});

/** Runs `catchment deadletters …` as in a pod. */
async function command(...given: string[]): Promise<{ code: number; output: string; errors: string }> {
  const env = { ...process.env, NATS_URL: nats.url, NATS_PREFIX: nats.prefix };
  const child = spawn(process.execPath, [MAIN, 'deadletters', ...given], { env });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    texts.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.errors += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...texts };
}
const lines = (text: string) => text.trim().split('\n');
const numbers = async () => lines((await command('list', '--json')).output).map((line) => JSON.parse(line).number);

test('dead letters are listed, shown, retried and dropped from the command line', async () => {
  expect((await command('list')).output).toContain('There are no dead letters.');
  let isFaulty = true;
  const seen: string[] = [];
  bus.readDomain('events-recorded', async (messages) => {
    const texts = messages.map(({ data }) => EventRecorded.decode(data).message);
    if (isFaulty && texts.some((text) => text !== 'good'))
      throw new DomainError('invalid_argument', 'INVALID_EVENT', 'bad');
    seen.push(...texts);
  });
  for (const message of ['poison', 'good', 'nobody needs this']) {
    const data = EventRecorded.encode(EventRecorded.fromPartial({ message })).finish();
    await bus.publish(SUBJECT, data, { msgId: message });
  }
  await until(async () => (await bus.lag('DOMAIN'))['events-recorded'] === 0);

  const [header, first, second] = lines((await command('list')).output);
  expect(header).toMatch(/^NUMBER +READER +SUBJECT +MESSAGE OF +PUT ASIDE +BYTES +REASON/);
  expect(first).toMatch(/^\d+ +events-recorded +events\.event\.recorded\.v1 .*INVALID_EVENT: bad/);
  expect(second).toBeDefined();
  expect((await command('list', '--reader', 'writer')).output).toContain('There are no dead letters.');
  const [poison = 0, unneeded = 0] = await numbers();

  const shown = JSON.parse((await command('show', String(poison))).output);
  expect(shown).toMatchObject({ number: poison, reader: 'events-recorded', content: { message: 'poison' } });

  const again = await command('retry', String(poison));
  expect([again.code, again.output]).toEqual([1, expect.stringMatching(/failed again, and is dead letter \d+ now/)]);
  isFaulty = false;
  const [, repeated = 0] = await numbers();
  expect((await command('retry', String(repeated))).output).toContain(`Dead letter ${repeated} was handled.`);
  expect(seen).toEqual(['good', 'poison']);

  expect((await command('drop', String(unneeded))).errors).toContain('--yes');
  const dropped = await command('drop', String(unneeded), '--yes');
  expect(dropped.output).toContain('dead letter was dropped');
  expect((await command('list')).output).toContain('There are no dead letters.');
  expect(seen).toEqual(['good', 'poison']);
  expect((await command('show', '999999')).code).toBe(4);
  expect((await command('retry')).errors).toContain('--all');
});

test('the help says what a retry does', async () => {
  const { output } = await command('retry', '--help');
  for (const word of ['--overwrite', '--all', '--reader', 'NATS_URL']) expect(output).toContain(word);
});
