import { Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { dataDirOption } from '../data-dir.ts';
import { DEFAULT_PROCESSES, PROCESSES } from './processes.ts';
import { DEVICES_MAX, INFLUXDBS_MAX, type StartOptions, start } from './start.ts';

const DEFAULT_PORT = 8080;

/** `catchment start`, also `npm start`. */
export function startCommand(): Command {
  return new Command('start')
    .option('--port <number>', `port of the HTTP API (default: ${DEFAULT_PORT}, or a free one)`, portNumber)
    .option(
      '--host <address>',
      'address to listen on; anything but loopback makes Catchment reachable by others',
      '127.0.0.1',
    )
    .option('--fresh', 'delete all data of this installation first', false)
    .option('--no-demo', 'do not load the demonstration')
    .option('--yes', 'install missing servers with the distribution’s package manager without asking', false)
    .addOption(dataDirOption('where all data is kept'))
    .addOption(new Option('--postgres-url <url>', 'use this PostgreSQL instead of starting one').env('POSTGRES_URL'))
    .addOption(new Option('--nats-url <url>', 'use this NATS instead of starting one').env('NATS_URL'))
    .addOption(new Option('--influx-url <url>', 'use this InfluxDB instead of starting one').env('INFLUX_URL'))
    .addOption(new Option('--nats-binary <file>', 'nats-server to start instead of the machine’s').env('NATS_BINARY'))
    .addOption(new Option('--influx-binary <file>', 'influxd to start instead of the machine’s').env('INFLUX_BINARY'))
    .addOption(
      new Option(
        '--processes <number>',
        'processes of the services: 1 takes the least memory and is quickest on two processors, 2 keep what devices and people reach apart from the stores, each is one for each service, as in large installations',
      )
        .choices(PROCESSES)
        .default(DEFAULT_PROCESSES),
    )
    .option(
      '--influxdbs <number>',
      'number of InfluxDBs; the further ones are the shards b, c and d, to try "catchment shards"',
      wholeNumber(1, INFLUXDBS_MAX),
      1,
    )
    .option(
      '--devices <number>',
      'processes of the devices service, each with its own ports, to try what happens when one dies',
      wholeNumber(1, DEVICES_MAX),
      1,
    )
    .addHelpText(
      'after',
      `
Stop everything with Ctrl-C; the next start keeps the data.

Examples:
  npm start
  npm start -- --port 9000 --no-demo
  npm start -- --fresh`,
    )
    .action(async (options: Omit<StartOptions, 'port' | 'portIsFixed'> & { port?: number }) => {
      await start({ ...options, port: options.port ?? DEFAULT_PORT, portIsFixed: options.port !== undefined });
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('must be a whole number from 0 to 65535 (0 = any free port)');
}
