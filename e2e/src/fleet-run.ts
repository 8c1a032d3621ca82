// `npm run test:fleet` runs a fleet of simulated modems while devices, NATS and historic are killed.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { until } from '@catchment/testkit';
import { compareStored, countStatuses, Fleet, type Kill, killInTurns, startForFleets, VICTIMS } from './fleet.ts';
import type { Installation } from './installation.ts';
import { PROCESSES_HELP, processesArgument } from './processes.ts';
import { takeSessionsOver } from './session-takeover.ts';

const HELP = `npm run test:fleet -- [options]

Starts Catchment with data of its own and two processes of devices, and a fleet of modems that report once a second, with faults in
5 % of the messages. Kills devices, NATS and historic several times each meanwhile, then devices twice more while nothing else happens.
Ends with status 0 when everything sent is stored once, every source is at rest, and modems and sessions were handed over within 30 s.

  --modems <number>   (500)
  --minutes <number>  of reports (5)
  --kills <number>    of each of ${VICTIMS.join(', ')} (3)
  --sessions <number> that are taken over from a killed process (12)
  --keep <folder>     where the data of the installation, its logs and those of all modems are left
  --seed <number>     of faults and of the order of kills (1)
  ${PROCESSES_HELP}
  --help
`;

const FAULT_PERCENT = 5;
/** A pause lies before and between the kills by which the hand-over is measured: longer than a modem waits after busy. */
const CALM_MS = 40_000;
const HANDED_OVER_SECONDS = 30;
/**
 * A process that has all services ends them all when it is killed: they start anew beside what 500 modems have kept
 * meanwhile.
 */
const ALL_BACK_SECONDS = 60;
const SETTLE_MS = 120_000;
/** A busy machine works off what has gathered for long. */
const END_MS = 1_800_000;
const MEMORY_EVERY_MS = 2_000;
const SHOWN = 10;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      modems: text,
      minutes: text,
      kills: text,
      sessions: text,
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
  const number = (name: 'modems' | 'minutes' | 'kills' | 'sessions' | 'seed', fallback: number): number => {
    const value = Number(values[name] ?? fallback);
    if (!(value >= (name === 'kills' ? 0 : 1))) throw new Error(`--${name}: must be a number`);
    return value;
  };
  const plan = {
    modems: number('modems', 500),
    minutes: number('minutes', 5),
    kills: number('kills', 3),
    sessions: number('sessions', 12),
    seed: number('seed', 1),
    keep: values.keep,
  };
  const beganMs = Date.now();
  const say = (line: string) =>
    process.stdout.write(`${String(Math.round((Date.now() - beganMs) / 1_000)).padStart(5)} s  ${line}\n`);
  say('starting Catchment with two processes of devices');
  const installation = await startForFleets(plan.keep, processesArgument(values.processes));
  try {
    return (await run(installation, plan, say)) ? 0 : 1;
  } finally {
    await installation.stop();
  }
}

type Plan = {
  modems: number;
  minutes: number;
  kills: number;
  sessions: number;
  seed: number;
  keep: string | undefined;
};

type MeasuredKill = Kill & { readonly limitSeconds: number };

async function run(installation: Installation, plan: Plan, say: (line: string) => void): Promise<boolean> {
  const { modems: count, minutes, seed } = plan;
  const memory = new DevicesMemory(installation);
  const before = await memory.look();
  const fleet = await Fleet.start(installation, {
    modems: count,
    messages: Math.round(minutes * 60),
    seed,
    faultPercent: FAULT_PERCENT,
    verbose: plan.keep !== undefined,
  });
  try {
    say(`registering ${count} modems`);
    await fleet.connected();
    say('the fleet is connected');
    memory.start();
    const onKill = ({ name }: Kill) => say(`kills ${name}`);
    const names = Array.from({ length: plan.kills }, () => VICTIMS).flat();
    const overMs = Math.max(0, minutes * 60_000 - 3 * CALM_MS);
    const kills = await killInTurns(installation, { names, overMs, seed }, onKill);
    const measured: MeasuredKill[] = [];
    for (const name of ['devices', 'devices-2'] as const) {
      await delay(CALM_MS);
      const pids = await installation.pids();
      const isAlone = Object.entries(pids).every(([other, pid]) => other === name || pid !== pids[name]);
      const limitSeconds = isAlone ? HANDED_OVER_SECONDS : ALL_BACK_SECONDS;
      const done = await killInTurns(installation, { names: [name], overMs: 0, seed }, onKill);
      measured.push(...done.map((kill) => ({ ...kill, limitSeconds })));
    }
    const code = await fleet.ended(END_MS);
    memory.stop();
    say(`the fleet has ended with status ${code}: ${fleet.output.trim().split('\n').at(-1)}`);
    const after = await memory.look();
    const isGood = await compare(installation, fleet, { kills, measured }, say);
    say(`memory of devices: ${before} before, at most ${memory.most}, ${after} after`);
    say(`${plan.sessions} sessions are taken over`);
    const { seconds, killed, begunAnew, most } = await takeSessionsOver(installation, plan.sessions);
    say(
      `${begunAnew} begun anew of ${killed} that were killed, within ${seconds.toFixed(1)} s; at most ${most} of a source at a time`,
    );
    const all = isGood && code === 0 && seconds <= HANDED_OVER_SECONDS && most === 1 && begunAnew === killed;
    say(all ? 'good' : 'NOT GOOD');
    return all;
  } finally {
    if (plan.keep !== undefined) await fleet.keep(plan.keep);
    await fleet.stop();
  }
}

async function compare(
  { api }: Installation,
  fleet: Fleet,
  { kills, measured }: { kills: readonly Kill[]; measured: readonly MeasuredKill[] },
  say: (line: string) => void,
): Promise<boolean> {
  const [journal, modems] = [await fleet.journal(), await fleet.modems()];
  const { sent, acknowledged, refused } = journal.counts;
  let compared = await compareStored(api, modems, journal);
  await until(
    async () => {
      if (compared.missing.length > 0) compared = await compareStored(api, modems, journal);
      return compared.missing.length === 0;
    },
    { deadlineMs: SETTLE_MS, everyMs: 5_000 },
  ).catch(() => {});
  let statuses = await countStatuses(api, modems);
  await until(
    async () => {
      statuses = await countStatuses(api, modems);
      return statuses.IDLE === modems.length;
    },
    { deadlineMs: SETTLE_MS, everyMs: 2_000 },
  ).catch(() => {});
  const repeated = /(\d+) repeated/g;
  const { stored, missing, surplus, different } = compared;
  const rows: [string, string | number][] = [
    ['modems', modems.length],
    ['reports sent', sent],
    ['acknowledged', acknowledged],
    ['refused', refused],
    ['sent again', [...fleet.output.matchAll(repeated)].at(-1)?.[1] ?? '?'],
    ['values stored', stored],
    ['missing', missing.length],
    ['stored and never sent, or twice', surplus.length],
    ['different', different.length],
    ['sources by status', JSON.stringify(statuses)],
  ];
  for (const [name, value] of rows) say(`${name.padEnd(32)} ${value}`);
  for (const [what, list] of Object.entries({ missing, surplus, different }))
    for (const line of list.slice(0, SHOWN)) say(`${what}: ${line}`);
  for (const { name, atMs } of kills) say(`${name} killed: ${journal.secondsToRecover(atMs).toFixed(1)} s to recover`);
  const handedOver = measured.map((kill) => ({ ...kill, seconds: journal.secondsToRecover(kill.atMs) }));
  for (const { name, seconds, limitSeconds } of handedOver)
    say(`${name} killed while calm: handed over within ${seconds.toFixed(1)} s, at most ${limitSeconds}`);
  return (
    missing.length + surplus.length + different.length === 0 &&
    refused === 0 &&
    sent === acknowledged &&
    statuses.IDLE === modems.length &&
    handedOver.every(({ seconds, limitSeconds }) => seconds <= limitSeconds)
  );
}

/** Measures the resident memory of both processes of devices, those that run now. */
class DevicesMemory {
  readonly #installation: Installation;
  #timer: NodeJS.Timeout | undefined;
  #most = 0;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  get most(): string {
    return mib(this.#most);
  }

  async look(): Promise<string> {
    const pids = await this.#installation.pids();
    const each = await Promise.all(['devices', 'devices-2'].map((name) => residentBytes(pids[name])));
    this.#most = Math.max(this.#most, ...each);
    return each.map(mib).join(' and ');
  }

  start(): void {
    this.#timer = setInterval(() => void this.look().catch(() => {}), MEMORY_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
