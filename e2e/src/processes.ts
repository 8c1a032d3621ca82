import path from 'node:path';

/** The services of an installation take this many processes (`catchment start --processes`). */
export type Processes = '1' | '2' | 'each';

/** Says it for all tests that do not mind, as `npm run test:processes` does. */
export const PROCESSES_ENV = 'CATCHMENT_TEST_PROCESSES';

/** The installations of these files run a process for each service in `npm test`: kills and large bodies among them. */
const EACH: readonly string[] = ['shards'];
/** These services share two processes: what devices and people reach apart from the stores. Others run as `catchment start` has them. */
const TWO: readonly string[] = ['connections', 'deletion', 'demonstration', 'fleet'];

/** @param testFile undefined: of none @returns undefined: as `catchment start` does by itself */
export function processesOf(testFile: string | undefined, env: NodeJS.ProcessEnv = process.env): Processes | undefined {
  const given = env[PROCESSES_ENV];
  if (given) return given as Processes;
  const name = path.basename(testFile ?? '', '.e2e.test.ts');
  if (EACH.includes(name)) return 'each';
  return TWO.includes(name) ? '2' : undefined;
}

/** Reads `--processes` of a script. @throws Error naming the rule */
export function processesArgument(text: string | undefined): Processes | undefined {
  if (text === undefined || text === '1' || text === '2' || text === 'each') return text;
  throw new Error('--processes: must be 1, 2 or each');
}

/** The help of a script shows this. */
export const PROCESSES_HELP = '--processes <number> of the services: 1, 2 or each (as catchment start)';
