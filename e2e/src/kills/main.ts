// `npm run test:kills`: every process is killed again and again while everything that follows from a record is under way.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '@catchment/testkit';
import { PROCESSES_HELP, processesArgument } from '../processes.ts';
import { compareAll, type Finding } from './compare.ts';
import { influxAway } from './influx-away.ts';
import { openScene, type Scene } from './scene.ts';

/** Processes that are killed, and how often each beside the others. */
const VICTIMS = {
  gateway: 3,
  historic: 4,
  nodes: 3,
  alarms: 4,
  devices: 3,
  events: 4,
  processing: 4,
  render: 1,
  nats: 3,
  influx: 2,
  postgres: 2,
} as const;
/** A pause after a recovery lasts at most this long before the next kill. */
const PAUSE_MS = 1_500;
const SETTLE_MS = 600_000;

const HELP = `npm run test:kills -- [options]

Starts Catchment with data of its own and loads it with records by HTTP, messages by MQTT, states with alarms, programs on each record, a
webhook and mails. Kills (SIGKILL) the process of one service or server after the other meanwhile, each as soon as writes are answered
again. In between InfluxDB does not answer for a while, and states of records that overwrite must be reported nevertheless. Ends with status 0 when nothing that was answered is lost and nothing is there twice: records and what programs made of them by
their times, events by the times of their records, deliveries by webhook-id, mails by Message-ID. 200 kills take about ten minutes.

  --kills <number>  (200)
  --only <names>    with commas, of ${Object.keys(VICTIMS).join(', ')}
  --away <seconds>  (60) how long InfluxDB does not answer, after half of the kills; 0: never
  --seed <number>   of the order of kills (drawn)
  --keep <folder>   where the data of the installation and its logs are left
  ${PROCESSES_HELP}
  --help
`;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      kills: text,
      only: text,
      away: text,
      seed: text,
      keep: text,
      processes: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const kills = wholeNumber('kills', values.kills ?? '200');
  const away = wholeNumber('away', values.away ?? '60');
  const seed = wholeNumber('seed', values.seed ?? String(randomInt(2 ** 31)));
  const names = Object.entries(VICTIMS).filter(([name]) => !values.only || values.only.split(',').includes(name));
  if (names.length === 0) throw new Error('--only: names no process that can be killed');
  const beganMs = performance.now();
  const say = (line: string) =>
    process.stdout.write(`${String(Math.round((performance.now() - beganMs) / 1_000)).padStart(6)} s  ${line}\n`);

  say(`starting Catchment; order of kills by --seed ${seed}`);
  const scene = await openScene(values.keep, processesArgument(values.processes));
  try {
    const [turns, random] = [namesInTurn(names, kills, seededRandom(seed)), seededRandom(seed + 1)];
    const half = Math.ceil(turns.length / 2);
    await killInTurns(scene, turns.slice(0, half), random, say);
    const findings = away > 0 ? [await influxAway(scene, away, say)] : [];
    await killInTurns(scene, turns.slice(half), random, say);
    say('the load ends');
    await scene.end();
    findings.push(...(await compareAll(scene, SETTLE_MS, (open) => say(`waiting for ${open}`))));
    for (const finding of findings) say(lineOf(finding));
    const isGood = findings.every(({ faults }) => faults.length === 0);
    say(isGood ? 'good: nothing lost, nothing twice' : 'NOT GOOD');
    return isGood ? 0 : 1;
  } finally {
    await scene.stop();
  }
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name}: must be a whole number`);
  return number;
}

/** Names each process as often as its weight says, in an order that the seed decides. */
function namesInTurn(names: readonly [string, number][], count: number, random: () => number): string[] {
  const weight = names.reduce((sum, [, share]) => sum + share, 0);
  const all = names.flatMap(([name, share]) => Array.from({ length: Math.ceil((count * share) / weight) }, () => name));
  return all
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ name }) => name);
}

async function killInTurns(
  scene: Scene,
  names: readonly string[],
  random: () => number,
  say: (line: string) => void,
): Promise<void> {
  await scene.recovered();
  let longest = { name: '', seconds: 0 };
  for (const [n, name] of names.entries()) {
    await delay(random() * PAUSE_MS);
    const killedMs = performance.now();
    await scene.installation.kill(name);
    await scene.recovered();
    const seconds = (performance.now() - killedMs) / 1_000;
    if (seconds > longest.seconds) longest = { name, seconds };
    if ((n + 1) % 10 === 0 || n + 1 === names.length) say(`${n + 1} kills, ${scene.progress()}`);
  }
  if (names.length > 0)
    say(`longest until writes were answered again: ${longest.name}, ${longest.seconds.toFixed(1)} s`);
}

const SHOWN = 5;
const lineOf = ({ what, counts, faults }: Finding): string =>
  [`${what.padEnd(22)} ${counts}`, ...faults.slice(0, SHOWN).map((fault) => `         FAULT ${fault}`)].join('\n');

const status = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
// After an error writers would go on to try what nobody answers any more.
process.exit(status);
