import { type DeviceRegistration, DevicesServiceService } from '@catchment/contracts/devices';
import { DomainError } from '@catchment/errors';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';
import { Command } from 'commander';
import { updateAccount } from '../account/administer-account.ts';
import { type Connection, connection, forPeople } from '../account/connection.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { dataDirOption } from '../data-dir.ts';
import { deviceKey } from '../simulate/options.ts';
import { registrationLines } from './registration-lines.ts';

/** `catchment device …` */
export function deviceCommand(): Command {
  const device = new Command('device');
  device
    .command('release')
    .description('list the accounts that have registered a device key; with --device, release one registration')
    .argument('<key>', 'device key: a 15-digit IMEI or a 12-digit device number', deviceKey)
    .option('--device <id>', 'the registration to release, by the id that the list shows')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Several accounts may register one IMEI. A modem that carries a secret belongs to the device with this secret. A modem without
a secret belongs to the first registration in the list without a secret: if that is not its owner's, release that registration. It
stays, with all its settings, but all others come before it; if a modem is connected, it must identify itself again.
The accounts do not learn of each other. A secret is better than a release: PUT /devices/:id {"secret": "…"}.

Where the installation is found:
  NODES_ADDRESS, DEVICES_ADDRESS and SERVICE_TOKEN_SECRET in the environment (as in the gateway's container),
  otherwise the installation that runs with "npm start" on this machine.

Example:
  catchment device release 356938035643809
  catchment device release 356938035643809 --device 53eada0ada91110000000046`,
    )
    .action(release);
  return device;
}

type Options = JsonOption & { device?: string; dataDir: string };

async function release(key: string, { device: deviceId, dataDir, ...options }: Options) {
  const connected = await connection(dataDir);
  const { devicesAddress, serviceTokenSecret } = connected;
  if (!devicesAddress) throw new UsageError('The devices service was not found. Set DEVICES_ADDRESS, too.');
  const client = createGrpcClient(DevicesServiceService, devicesAddress);
  try {
    const token = await new CallerSigner(serviceTokenSecret).sign({ kind: 'service', service: 'cli' });
    const { registrations } =
      deviceId === undefined
        ? await client.listRegistrations({ deviceKey: key }, { token }).catch(forPeople)
        : await client
            .releaseKey({ deviceKey: key, deviceId: deviceId.toLowerCase() }, { token })
            .catch((error: unknown) => {
              if (error instanceof DomainError && error.kind === 'not_found')
                throw new Error(`Device ${deviceId} has not registered the key ${key}.`, { cause: error });
              return forPeople(error);
            });
    const names = await accountNames(connected, registrations);
    const shown = registrations.map((registration) => ({
      ...registration,
      accountName: names.get(registration.ownerId) ?? null,
    }));
    answer(options, { key, released: deviceId ?? null, registrations: shown }, () => [
      ...(deviceId === undefined ? [] : [`Device ${deviceId} has released the key ${key}. Registrations now:`]),
      ...(registrations.length === 0 ? [`Nobody has registered the key ${key}.`] : []),
      ...registrationLines(registrations, names),
    ]);
  } finally {
    client.close();
  }
}

/** Returns names by id; deleted accounts are absent. An empty change answers an account's name. */
async function accountNames(
  connected: Connection,
  registrations: readonly DeviceRegistration[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const ownerId of new Set(registrations.map((registration) => registration.ownerId)))
    await updateAccount(connected, { account: ownerId }).then(
      ({ accountName }) => names.set(ownerId, accountName),
      (error: unknown) => {
        if (!(error instanceof DomainError && error.kind !== 'unavailable')) throw error;
      },
    );
  return names;
}
