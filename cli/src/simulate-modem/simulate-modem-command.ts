import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { simulateModem } from './simulate-modem.ts';

type Options = {
  host: string;
  port: number;
  key: string;
  secret?: string;
  interval: number;
  seed?: number;
  queue: number;
  tls: boolean;
};

/** A 15-digit IMEI or a 12-digit device number. */
export function deviceKey(text: string): string {
  if (!/^(?:\d{15}|\d{12})$/.test(text)) {
    throw new InvalidArgumentError('must be a 15-digit IMEI or a 12-digit device number.');
  }
  return text;
}

/** `modem`: a simulated Scout modem, until SIGINT or SIGTERM; for `catchment simulate`. */
export function simulateModemCommand(): Command {
  return new Command('modem')
    .description(
      'a simulated modem: connects, reports tank level, battery and temperature, resends what was not acknowledged',
    )
    .requiredOption('-k, --key <digits>', 'device key: a 15-digit IMEI or a 12-digit device number', deviceKey)
    .option(
      '-s, --secret <text>',
      'secret of the device, as POST /devices has shown it once (better in the environment: MODEM_SECRET)',
    )
    .option('-H, --host <host>', 'where the devices service listens', '127.0.0.1')
    .option('-p, --port <number>', 'its port', wholeNumber(1, 65_535), 4331)
    .option('-i, --interval <seconds>', 'between two reports', wholeNumber(1, 86_400), 10)
    .option('--seed <number>', 'same seed, same readings (default: from the device key)', wholeNumber(0, 1_000_000_000))
    .option('--queue <number>', 'reports kept while the server is away', wholeNumber(1, 1_000_000), 10_000)
    .option('--tls', 'connect with TLS', false)
    .addHelpText(
      'after',
      `
Without a secret the modem goes to the registration of its key that has had none for the longest time; a device with a secret
takes modems with this secret only. The protocol: docs/modem-protocol.md. Stops on Ctrl-C.`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const secret = options.secret ?? process.env.MODEM_SECRET;
  await simulateModem({
    host: options.host,
    port: options.port,
    deviceKey: options.key,
    ...(secret && { secret }),
    intervalSeconds: options.interval,
    ...(options.seed !== undefined && { seed: options.seed }),
    queueLimit: options.queue,
    tls: options.tls,
    signal: stop.signal,
    log: (line) => console.log(`${new Date().toISOString()} ${line}`),
  });
}
