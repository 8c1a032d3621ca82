import { countOf } from '@catchment/number-format';
import { Command, Option } from 'commander';
import { collect, wholeNumber } from '../../api/api-options.ts';
import { answer, type JsonOption } from '../../command-line/answer.ts';
import {
  addServerOptions,
  addStationOptions,
  printing,
  ratesOf,
  SEED_MAX,
  type StationOptions,
  stopSignal,
} from '../options.ts';
import type { MessageCounts } from '../station/counts.ts';
import { readingsOf, recordsOfFile } from '../station/records.ts';
import { simulateMqtt } from './simulate-mqtt.ts';

type Options = StationOptions &
  JsonOption & {
    key: readonly string[];
    password?: string;
    protocol: '3.1.1' | '5';
    qos: '0' | '1' | '2';
    topic: string;
    stations: number;
    interval: number;
    inFlight: number;
    seed: number;
    quiet: boolean;
  };

/** Makes `catchment simulate mqtt`: simulated stations publish until SIGINT or SIGTERM or the end of their data. */
export function simulateMqttCommand(): Command {
  const command = new Command('mqtt')
    .description('simulated stations that publish JTS documents by MQTT, and send again what was not acknowledged')
    .requiredOption('-k, --key <key>', 'push key of a source; several times: stations take them in turn', collect)
    .option('--password <text>', 'of the source (prefer MQTT_PASSWORD in the environment)');
  addServerOptions(command, 1883)
    .addOption(new Option('--protocol <version>', 'of MQTT').choices(['3.1.1', '5']).default('5'))
    .addOption(new Option('-q, --qos <number>', 'quality of service').choices(['0', '1', '2']).default('1'))
    .option('-t, --topic <topic>', 'of the messages', 'data')
    .option('-n, --stations <number>', 'number of stations, each with its own connection', wholeNumber(1, 10_000), 1)
    .option(
      '-i, --interval <ms>',
      'between two messages of a station; 0 = no pause',
      wholeNumber(0, 86_400_000),
      10_000,
    )
    .option('--in-flight <number>', 'messages without an answer at a time', wholeNumber(1, 65_535), 20);
  return addStationOptions(command)
    .option('--seed <number>', 'same seed, same readings and faults', wholeNumber(0, SEED_MAX), 1)
    .option('--quiet', 'only the summary', false)
    .addHelpText('after', '\nThe rules: docs/reference/acquisition.md#mqtt. Stops on Ctrl-C.')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const signal = stopSignal();
  const password = options.password ?? process.env.MQTT_PASSWORD;
  const log = options.quiet ? () => {} : printing(options);
  const station = async (n: number): Promise<MessageCounts> => {
    const seed = options.seed + n;
    const next = options.file ? await recordsOfFile(options.file, options.records) : readingsOf(seed, Date.now);
    return simulateMqtt({
      host: options.host,
      port: options.port,
      tls: options.tls,
      topic: options.topic,
      seed,
      next,
      log,
      ...(password !== undefined && { password }),
      ...(options.messages !== undefined && { messages: options.messages }),
      protocolVersion: options.protocol === '5' ? 5 : 4,
      qos: Number(options.qos) as 0 | 1 | 2,
      key: options.key[n % options.key.length] ?? '',
      clientId: `simulated-${options.seed}-${n}`,
      intervalMs: options.interval,
      inFlight: options.inFlight,
      faults: ratesOf(options),
      signal,
    });
  };
  const all = await Promise.all(Array.from({ length: options.stations }, (_, n) => station(n)));
  const sum = (of: keyof MessageCounts) => all.reduce((total, messages) => total + messages[of], 0);
  const total = {
    sent: sum('sent'),
    acknowledged: sum('acknowledged'),
    repeated: sum('repeated'),
    refused: sum('refused'),
  };
  const { sent, acknowledged, repeated, refused } = total;
  answer(
    options,
    total,
    () => `${countOf(sent, 'message')} sent, ${acknowledged} acknowledged, ${repeated} repeated, ${refused} refused`,
  );
}
