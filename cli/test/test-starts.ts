// `npm run test:starts -w cli` ends services while they start, at random moments.
import { parseArgs } from 'node:util';
import { seededRandom } from '@catchment/testkit';
import { GROUPS, PROCESSES, type Processes } from '../src/start/processes.ts';
import { CONDITIONS, ENDINGS, type Outcome, openTrials, type Trial } from './cancelled-start.ts';

const HELP = `npm run test:starts -w cli -- [options]

Starts services one after another, with real servers or with servers that are away, say nothing or are being migrated by somebody else, and ends
each start at a random moment: by SIGTERM, by SIGINT, by the end of its parent or by its deadline. In the end each service starts once and is stopped.
Ends with status 0 when every process was gone in time, left no process behind and said the right exit code.

  --starts <number>  (200)
  --seed <number>    of services, servers, endings and moments (1)
  --processes <number> of the services: 1, 2 or each (each)
  --help
`;

/** A start takes two seconds of a processor, more where others have it. */
const LATEST_MS = 5_000;
/** Starts that share a schema, the first of which migrates it. */
const STARTS_OF_SCHEMA = 4;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { starts: text, seed: text, processes: text, help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [starts, seed] = [Number(values.starts ?? 200), Number(values.seed ?? 1)];
  if (!Number.isInteger(starts) || starts < 1 || !Number.isInteger(seed))
    throw new Error('--starts and --seed: must be whole numbers');
  const processes = PROCESSES.find((choice) => choice === (values.processes ?? 'each'));
  if (!processes) throw new Error('--processes: must be 1, 2 or each');
  const groups = GROUPS[processes satisfies Processes];
  const random = seededRandom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  await using trials = await openTrials();
  const results: { trial: Trial; outcome: Outcome }[] = [];
  const tryOne = async (trial: Trial) => {
    const outcome = await trials.run(trial);
    results.push({ trial, outcome });
    const { services, condition, ending, afterMs } = trial;
    const fault = faultOf(trial, outcome);
    const line = [
      results.length,
      services.join(' '),
      condition,
      ending,
      afterMs === 'ready' ? afterMs : `${afterMs} ms`,
      outcome.hadStarted ? 'ready' : 'starting',
    ];
    process.stdout.write(
      `${line.join(' | ')} | gone after ${outcome.goneMs ?? '-'} ms${fault ? ` | FAULT: ${fault}` : ''}\n`,
    );
  };
  for (let n = 0; n < starts; n += 1) {
    const { services } = oneOf(groups);
    const schema = `_${Math.floor(n / (STARTS_OF_SCHEMA * groups.length))}`;
    const afterMs = Math.round(random() * LATEST_MS);
    await tryOne({ services, condition: oneOf(CONDITIONS), ending: oneOf(ENDINGS), afterMs, schema });
  }
  // Whatever was left half done, the next start goes on with it.
  for (const { services } of groups)
    await tryOne({ services, condition: 'all there', ending: 'SIGTERM', afterMs: 6 * LATEST_MS, schema: '_0' });
  return report(results);
}

/** Says what is wrong with how a start has ended; empty: nothing. */
function faultOf({ ending, afterMs }: Trial, { goneMs, code, leftBehind, hadStarted }: Outcome): string {
  if (goneMs === undefined) return 'still there';
  if (leftBehind > 0) return `left ${leftBehind} processes behind`;
  if (afterMs === 'ready' && !hadStarted) return 'not ready';
  if (ending === 'parent killed') return '';
  if (ending === 'deadline' && !hadStarted) return code === 1 ? '' : `ended with ${code}`;
  // Signals end the process themselves before it listens to them.
  return code === 0 || code === ending ? '' : `ended with ${code}`;
}

function report(results: readonly { trial: Trial; outcome: Outcome }[]): number {
  const faults = results.filter(({ trial, outcome }) => faultOf(trial, outcome) !== '');
  const goneMs = results.flatMap(({ outcome }) => outcome.goneMs ?? []).sort((a, b) => a - b);
  const starting = results.filter(({ outcome }) => !outcome.hadStarted).length;
  const percentile = (share: number) => goneMs[Math.floor((goneMs.length - 1) * share)];
  process.stdout.write(
    `\n${results.length} starts, ${starting} of them ended before they were ready\n` +
      `gone after ${percentile(0.5)} ms (median), ${percentile(0.95)} ms (95 %), ${percentile(1)} ms (longest)\n` +
      `${faults.length} faults\n`,
  );
  return faults.length === 0 ? 0 : 1;
}

process.exitCode = await main();
