import { Command } from 'commander';
import type { JsonOption } from '../../command-line/answer.ts';
import { deviceKey, printing, stopSignal } from '../options.ts';
import { recordsOfFile } from '../station/records.ts';
import { addModemOptions, type ModemOptions, modemSettings } from './modem-options.ts';
import { simulateModem } from './simulate-modem.ts';

type Options = ModemOptions & JsonOption & { readonly key: string; readonly secret?: string };

/** Makes `catchment simulate modem`: a simulated Scout modem runs until SIGINT or SIGTERM or the end of its data. */
export function simulateModemCommand(): Command {
  const command = new Command('modem')
    .description(
      'a simulated modem: connects, reports tank level, battery and temperature, resends what was not acknowledged',
    )
    .requiredOption('-k, --key <digits>', 'device key: a 15-digit IMEI or a 12-digit device number', deviceKey)
    .option(
      '-s, --secret <text>',
      'secret of the device, as POST /devices has shown it once (better in the environment: MODEM_SECRET)',
    );
  return addModemOptions(command, { queue: 10_000 })
    .addHelpText(
      'after',
      `
Without a secret the modem goes to the registration of its key that has had none for the longest time; a device with a secret
takes modems with this secret only. Without --seed, readings and faults depend on the device key.
The protocol: docs/modem-protocol.md. Stops on Ctrl-C.

Example:
  catchment simulate modem --key 123456789012 --interval 1 --messages 100 --drops 5 --duplicates 5`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const secret = options.secret ?? process.env.MODEM_SECRET;
  await simulateModem({
    ...modemSettings(options),
    servers: [{ host: options.host, port: options.port }],
    deviceKey: options.key,
    ...(secret && { secret }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.file && { next: await recordsOfFile(options.file, options.records) }),
    signal: stopSignal(),
    log: printing(options),
  });
}
