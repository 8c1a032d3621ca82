import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../../api/api-options.ts';
import type { JsonOption } from '../../command-line/answer.ts';
import {
  type Address,
  deviceKey,
  hostAndPort,
  percent,
  portNumber,
  printing,
  ratesOf,
  SEED_MAX,
  stopSignal,
} from '../options.ts';
import { simulateLoggers } from './simulate-loggers.ts';

type Options = JsonOption & {
  file: string[];
  listen: number;
  host: string;
  call?: Address;
  id?: string;
  count: number;
  interval: number;
  history: number;
  asRecorded: boolean;
  address: number;
  router?: number;
  securityCode: number;
  os?: string;
  zone: string;
  drift: number;
  variable: Record<string, number>;
  drops: number;
  duplicates: number;
  corruptions: number;
  clockJumps: number;
  seed: number;
};

const SECURITY_CODE_MAX = 65_535;
const ADDRESS_MAX = 4_094;
const gathered = (value: string, others: string[]): string[] => [...others, value];

function seconds(text: string): number {
  if (!/^-?\d{1,7}$/.test(text)) throw new InvalidArgumentError('must be a whole number, which may be negative.');
  return Number(text);
}

function variable(text: string, others: Record<string, number>): Record<string, number> {
  const [name = '', value = ''] = text.split('=');
  if (!/^[A-Za-z]\w*$/.test(name) || value === '' || !Number.isFinite(Number(value))) {
    throw new InvalidArgumentError('must be <name>=<number>.');
  }
  return { ...others, [name]: Number(value) };
}

/** Ids that follow each other. */
const idsFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(BigInt(first) + BigInt(n)).padStart(first.length, '0'));

/** Makes `catchment simulate logger`: simulated PakBus loggers run until SIGINT or SIGTERM. */
export function simulateLoggerCommand(): Command {
  return new Command('logger')
    .description('a simulated PakBus logger: listens, or calls in; its tables are those of TOA5 files, and grow')
    .option(
      '-f, --file <path>',
      'TOA5 file, may be gzipped; each file makes a table (default: one of a glacier station)',
      gathered,
      [],
    )
    .option('-l, --listen <port>', 'where the logger listens', portNumber(0), 6785)
    .option('-H, --host <address>', 'on which address', '127.0.0.1')
    .option('-c, --call <host:port>', 'call in instead, with an id', hostAndPort)
    .option('-i, --id <digits>', 'the id: a 15-digit IMEI or a 12-digit device number', deviceKey)
    .option(
      '-n, --count <number>',
      'number of loggers, on consecutive ports or with consecutive ids',
      wholeNumber(1, 10_000),
      1,
    )
    .option('--interval <seconds>', 'between two records, which repeat those of the file', wholeNumber(1, 86_400), 60)
    .option('--history <records>', 'recorded before the start', wholeNumber(0, 1_000_000), 60)
    .option('--as-recorded', 'records with the times of the file instead', false)
    .option('--address <number>', 'PakBus address', wholeNumber(1, ADDRESS_MAX), 1)
    .option('--router <number>', 'PakBus address of a router before it', wholeNumber(1, ADDRESS_MAX))
    .option('--security-code <number>', 'the logger answers nothing without it', wholeNumber(0, SECURITY_CODE_MAX), 0)
    .option('--os <version>', 'such as CR3000.Std.28 (default: as the file says)')
    .option('--zone <name>', 'IANA time zone of its clock', 'Etc/UTC')
    .option('--drift <seconds>', 'seconds by which its clock is fast; negative: slow', seconds, 0)
    .option('--variable <name=number>', 'in the table Public, for control values; may be repeated', variable, {})
    .option('--drops <percent>', 'packets that do not come', percent, 0)
    .option('--duplicates <percent>', 'packets that come twice', percent, 0)
    .option('--corruptions <percent>', 'packets with a wrong byte', percent, 0)
    .option('--clock-jumps <percent>', 'connections at which the clock jumps by up to a day', percent, 0)
    .option('--seed <number>', 'same seed, same faults', wholeNumber(0, SEED_MAX), 1)
    .addHelpText(
      'after',
      `
Examples:
  catchment simulate logger --variable Setpoint=20
      listens on 127.0.0.1:6785: a source with transport TcpClient, host 127.0.0.1 and port 6785 collects it
      (the operator must allow the range 127.0.0.0/8)
  catchment simulate logger --listen 7001 --count 3 --interval 10 --drops 5 --corruptions 5
      three loggers with bad lines, on the ports 7001 to 7003
  catchment simulate logger --call 127.0.0.1:4332 --id 123456789012 --zone Europe/Berlin --drift 40
      calls in as a logger behind a modem, with a clock that is 40 s fast

Stops on Ctrl-C.`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  if (options.call && !options.id) throw new Error('--call needs --id.');
  await simulateLoggers({
    files: options.file,
    intervalSeconds: options.asRecorded ? undefined : options.interval,
    historyRecords: options.history,
    address: options.address,
    ...(options.router !== undefined && { routerAddress: options.router }),
    securityCode: options.securityCode,
    ...(options.os && { osVersion: options.os }),
    zone: options.zone,
    driftSeconds: options.drift,
    variables: options.variable,
    faults: { ...ratesOf(options), corrupt: options.corruptions },
    seed: options.seed,
    host: options.call?.host ?? options.host,
    port: options.call?.port ?? options.listen,
    ...(options.call && { callIds: idsFrom(options.id!, options.count) }),
    count: options.count,
    signal: stopSignal(),
    log: printing(options),
  });
}
