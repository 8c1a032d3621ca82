import { DomainError } from '@catchment/errors';
import { UsageError } from '../command-line/failure.ts';
import { openState, readRunning } from '../start/state.ts';

export const WHERE = `
Where the installation is found:
  NODES_ADDRESS and SERVICE_TOKEN_SECRET in the environment (as in every service's container),
  otherwise the installation that runs with "npm start" on this machine.`;

export type Connection = {
  readonly nodesAddress: string;
  /** The environment does not say it where absent. */
  readonly devicesAddress?: string | undefined;
  readonly historicAddress?: string | undefined;
  readonly serviceTokenSecret: string;
};

/** Opens the installation that a command works on. @param dataDir of a local one */
export async function connection(dataDir: string): Promise<Connection> {
  const { NODES_ADDRESS, DEVICES_ADDRESS, HISTORIC_ADDRESS, SERVICE_TOKEN_SECRET } = process.env;
  if (NODES_ADDRESS && SERVICE_TOKEN_SECRET)
    return {
      nodesAddress: NODES_ADDRESS,
      devicesAddress: DEVICES_ADDRESS,
      historicAddress: HISTORIC_ADDRESS,
      serviceTokenSecret: SERVICE_TOKEN_SECRET,
    };
  const running = await readRunning(dataDir);
  if (!running) {
    throw new UsageError(
      'No installation found. Start one with "npm start", or set NODES_ADDRESS and SERVICE_TOKEN_SECRET.',
    );
  }
  const { serviceTokenSecret } = await openState(dataDir);
  const { nodesAddress, devicesAddress, historicAddress } = running;
  return { nodesAddress, devicesAddress, historicAddress, serviceTokenSecret };
}

/** Throws the message of an error that is meant for people, without its stack. */
export function forPeople(error: unknown): never {
  throw error instanceof DomainError && error.kind !== 'internal' ? new Error(error.message, { cause: error }) : error;
}
