import { hostname } from 'node:os';
import { ownVersion, type RefusedWrite, recentRefusals } from '@catchment/telemetry';
import type { NatsConnection } from '@nats-io/transport-node';
import { askEverybody, type Where } from './ask-everybody.ts';
import { type Naming, subjectName } from './naming.ts';

const SUBJECT = 'now.version';

export type ProcessVersion = {
  readonly service: string;
  /** Host and process id. */
  readonly process: string;
  readonly version: string;
  /** Stores have refused these writes of the process in the last ten minutes; absent where its metrics alone say its version. */
  readonly refused?: readonly RefusedWrite[];
};

/** Answers whoever asks which version this process runs, and what stores refuse to it: without JetStream, which may be what does not answer. */
export function announceVersion(
  connection: NatsConnection,
  { prefix, service }: Naming & { readonly service: string },
): void {
  const thisProcess: ProcessVersion = { service, process: `${hostname()}:${process.pid}`, version: ownVersion() };
  connection.subscribe(subjectName({ prefix }, SUBJECT), {
    callback: (error, message) => {
      if (!error) message.respond(JSON.stringify({ ...thisProcess, refused: recentRefusals(service) }));
    },
  });
}

/**
 * Asks for the versions of all processes that are connected to the broker.
 * @throws DomainError unavailable while the broker does not answer
 */
export async function askForVersions(where: Where): Promise<ProcessVersion[]> {
  return (await askEverybody(where, 'versions', SUBJECT)).map((answer) => answer.json<ProcessVersion>());
}
