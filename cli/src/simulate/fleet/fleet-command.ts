import { createWriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { envReader, readClassNamespace } from '@catchment/config';
import { countOf } from '@catchment/number-format';
import { Command } from 'commander';
import { type ApiOptions, addUrlOptions, apiClient, wholeNumber } from '../../api/api-options.ts';
import { answer, type JsonOption } from '../../command-line/answer.ts';
import { UsageError } from '../../command-line/failure.ts';
import { addModemOptions, type ModemOptions, modemSettings } from '../modem/index.ts';
import { type Address, hostAndPort, printing, stopSignal } from '../options.ts';
import { sharedRecordsOfFile } from '../station/records.ts';
import { appendFleetKey, type FleetModem, readFleetKeys } from './fleet-keys.ts';
import { registerFleet, removeFleet } from './register-fleet.ts';
import { progressLine, simulateFleet, unanswered } from './simulate-fleet.ts';

type Options = ModemOptions &
  ApiOptions &
  JsonOption & {
    readonly modems?: number;
    readonly keysFile?: string;
    readonly register: boolean;
    readonly workspace?: string;
    readonly remove: boolean;
    readonly replica?: readonly Address[];
    readonly ramp?: number;
    readonly journal?: string;
    readonly verbose: boolean;
  };

const MODEMS_MAX = 100_000;
const CONNECTS_PER_SECOND = 100;
/** The work that is under way has this long after the first Ctrl-C. */
const GRACE_MS = 10_000;

/** Makes `catchment simulate fleet`: thousands of simulated Scout modems run until SIGINT or SIGTERM or the end of their data. */
export function simulateFleetCommand(): Command {
  const command = new Command('fleet')
    .description('many simulated modems in one process; ends with status 1 when something sent stays unacknowledged')
    .option('-n, --modems <number>', 'how many (default: all of the keys file)', wholeNumber(1, MODEMS_MAX))
    .option('--keys-file <file>', 'keys and secrets of the modems: JSON lines {"key", "secret"}, or CSV key,secret')
    .option('--register', 'make the modems by the API first, and add them to the keys file where one is given', false)
    .option('--workspace <node>', 'Workspace in which they are made: id or @customId (default: a new one)')
    .option('--remove', 'in the end, delete the devices and sources that were made, with their data', false)
    .option(
      '--replica <host:port>',
      'another address of the devices service; may be repeated. Modems take them in turn',
      (text: string, before: readonly Address[] = []) => [...before, hostAndPort(text)],
    )
    .option(
      '--ramp <seconds>',
      'over which first connections are spread (default: 100 a second)',
      wholeNumber(0, 86_400),
    )
    .option('--journal <file>', 'file for what was sent and acknowledged, as JSON lines')
    .option('--verbose', 'every event of every modem', false);
  return addUrlOptions(addModemOptions(command, { queue: 1_000 }))
    .addHelpText(
      'after',
      `
Modems report one after the other within the interval. Each has its own queue (--queue). Up to 100 000 records of a file (--file)
are held in memory, and all modems send them. To register and to remove,
the API key is taken from CATCHMENT_KEY in the environment, or from an installation that runs on this machine.

One address may have 1000 connections of modems; for larger fleets set SCOUT_MAX_CONNECTIONS_PER_ADDRESS of the devices service.
Each modem needs a file descriptor here (ulimit -n).

The first Ctrl-C ends the reports and waits up to 10 s for acknowledgements, the second one ends everything.
The protocol: docs/modem-protocol.md.

Examples:
  catchment simulate fleet --register --modems 200 --keys-file fleet.jsonl --interval 5 --messages 20
      makes 200 modems in a new Workspace of the installation on this machine, which report 20 times each
  catchment simulate fleet --keys-file fleet.jsonl --interval 1 --messages 60 --drops 2 --duplicates 1 --clock-jumps 1 --partials 1
      the same modems with faults in 5 % of the messages
  catchment simulate fleet --keys-file fleet.jsonl --messages 1 --remove
      a last report, then everything that was made is deleted again`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const finish = new AbortController();
  const signal = stopSignal((stop) => {
    printing(options)('stopping: waiting for acknowledgements; Ctrl-C again ends at once');
    finish.abort();
    setTimeout(stop, GRACE_MS).unref();
  });
  const modems = await fleetOf(options, AbortSignal.any([signal, finish.signal]));
  try {
    if (!finish.signal.aborted) await runFleet(options, modems, { signal, finish: finish.signal });
  } finally {
    if (options.remove) await remove(options, modems);
  }
}

async function fleetOf(options: Options, signal: AbortSignal): Promise<FleetModem[]> {
  const { keysFile, register, modems: count } = options;
  if (!register) {
    if (!keysFile) throw new UsageError('Give --keys-file, or --register with --modems.');
    const known = await readFleetKeys(keysFile);
    if (count !== undefined && count > known.length)
      throw new Error(`${keysFile} has ${known.length} keys, fewer than ${count}.`);
    return known.slice(0, count);
  }
  if (count === undefined) throw new Error('--register needs --modems.');
  if (!keysFile && !options.remove)
    throw new UsageError(
      'The secrets of new modems are shown once: give --keys-file, or --remove to delete them in the end.',
    );
  if (
    keysFile &&
    (await access(keysFile).then(
      () => true,
      () => false,
    ))
  )
    throw new UsageError(`${keysFile} exists already. Without --register its modems are used.`);
  const api = await apiClient(options);
  const read = envReader(process.env);
  const classes = `${readClassNamespace(read)}.models.node`;
  const made: FleetModem[] = [];
  try {
    await registerFleet(api, {
      count,
      workspace: options.workspace,
      classes,
      signal,
      made: async (modem) => {
        made.push(modem);
        if (keysFile) await appendFleetKey(keysFile, modem);
      },
    });
  } catch (error) {
    if (options.remove) await remove(options, made);
    throw error;
  }
  printing(options)(`${countOf(made.length, 'modem')} registered`);
  return made;
}

async function remove(options: Options, modems: readonly FleetModem[]): Promise<void> {
  const made = modems.filter(({ deviceId }) => deviceId !== undefined);
  await removeFleet(await apiClient(options), made, new AbortController().signal);
  if (made.length > 0) printing(options)(`${countOf(made.length, 'modem')} removed`);
}

async function runFleet(
  options: Options,
  modems: readonly FleetModem[],
  signals: { readonly signal: AbortSignal; readonly finish: AbortSignal },
): Promise<void> {
  const { host, port, replica = [], ramp = Math.ceil(modems.length / CONNECTS_PER_SECOND), seed = 1 } = options;
  const next = options.file ? await sharedRecordsOfFile(options.file, options.records) : undefined;
  const journal = options.journal ? createWriteStream(options.journal) : undefined;
  const journalEnd = journal && finished(journal);
  // The error is reported at the end; without a listener it would end the process at once.
  journalEnd?.catch(() => {});
  const counts = await simulateFleet({
    ...modemSettings(options),
    ...signals,
    modems,
    seed,
    rampSeconds: ramp,
    servers: [{ host, port }, ...replica],
    ...(next && { next }),
    ...(journal && { journal: (line) => void journal.write(`${JSON.stringify(line)}\n`) }),
    ...(options.verbose && { log: printing(options) }),
    progress: (now) => printing(options)(progressLine(now, modems.length)),
  });
  journal?.end();
  await journalEnd;
  const missing = unanswered(counts);
  const { sent, acknowledged, refused, repeated, reconnects, lost, waiting } = counts;
  answer(
    options,
    { modems: modems.length, ...counts, missing },
    () =>
      `${countOf(modems.length, 'modem')}: ${countOf(sent, 'report')} sent, ${acknowledged} acknowledged, ${refused} refused, ${missing} unacknowledged, ` +
      `${waiting} left in queues; ${repeated} repeated, ${reconnects} reconnects, ${lost} lost from full queues`,
  );
  if (missing > 0) process.exitCode = 1;
}
