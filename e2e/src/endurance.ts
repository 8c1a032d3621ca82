// `npm run endurance -w e2e` makes thousands of large reads against a separate installation.
import { parseArgs } from 'node:util';
import { openLargeReads, PROCESSORS, type Totals } from './large-reads.ts';

const HELP = `npm run endurance -w e2e -- [options]

Starts Catchment with data of its own, and reads answers of 100 000 records while connections age and the processor is
full. Ends with status 0 when every answer was whole and right; with --restarts, when each of the others says why in the
gateway's log.

  --reads <number>    how many answers (5000)
  --readers <number>  at a time (8), a quarter of them slow clients
  --minutes <number>  no read begins after this time (120)
  --busy <number>     processes that hold a processor (${PROCESSORS}: one each)
  --restarts          stop and kill the services meanwhile
  --help
`;

const PROGRESS_MS = 10_000;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      reads: text,
      readers: text,
      minutes: text,
      busy: text,
      restarts: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const number = (name: 'reads' | 'readers' | 'minutes' | 'busy', fallback: number): number => {
    const value = Number(values[name] ?? fallback);
    if (!Number.isInteger(value) || value < (name === 'busy' ? 0 : 1)) throw new Error(`--${name}: must be a number`);
    return value;
  };
  const [reads, readers] = [number('reads', 5_000), number('readers', 8)];
  const [minutes, busyProcesses] = [number('minutes', 120), number('busy', PROCESSORS)];
  const beganMs = Date.now();
  const seconds = () => Math.round((Date.now() - beganMs) / 1_000);
  const say = (line: string) => process.stdout.write(`${String(seconds()).padStart(6)} s  ${line}\n`);
  say('starting Catchment, writing 100 000 records');
  const large = await openLargeReads();
  let stopMs = beganMs + minutes * 60_000;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopMs = 0;
    });
  try {
    let done = 0;
    const progress = setInterval(() => say(`${done} of ${reads} reads`), PROGRESS_MS);
    const totals = await large
      .run({
        reads,
        readers,
        busyProcesses,
        restarts: values.restarts,
        slow: Math.ceil(readers / 4),
        mayBegin: () => Date.now() < stopMs,
        onRead: (count) => {
          done = count;
        },
      })
      .finally(() => clearInterval(progress));
    return report(totals, values.restarts, say);
  } finally {
    await large.stop();
  }
}

function report({ whole, wrong, refused, broken }: Totals, mayBreak: boolean, say: (line: string) => void): number {
  for (const what of wrong) say(`wrong: ${what}`);
  for (const { error, line } of broken)
    say(`broken off: ${error}, ${line ? `the gateway says: ${line.reason} (${line.requestId})` : 'no line about it'}`);
  const unexplained = broken.filter(({ line }) => line?.reason !== 'peer failed').length;
  const isGood = wrong.length === 0 && (mayBreak ? unexplained === 0 : broken.length + refused === 0);
  say(
    `${whole} whole, ${wrong.length} wrong, ${refused} refused, ${broken.length} broken off, ${unexplained} of them unexplained: ${isGood ? 'good' : 'NOT GOOD'}`,
  );
  return isGood ? 0 : 1;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
