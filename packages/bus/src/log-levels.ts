import { hostname } from 'node:os';
import { unavailable } from '@catchment/errors';
import { changeLogLevel, type Logger, type LogLevelChange, readLogLevelChange } from '@catchment/telemetry';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { serversOf } from './servers-of.ts';
import { subjectName } from './topology.ts';

const SUBJECT = 'now.log-level';
const CONNECT_MS = 5_000;
/** Replicas that are there have answered by then. */
const ANSWERS_MS = 1_500;

/** Follows what is wanted of the loggers of a service, and answers who has. */
export function followLogLevels(
  connection: NatsConnection,
  { prefix, service, log }: { readonly prefix: string; readonly service: string; readonly log: Logger },
): void {
  connection.subscribe(subjectName({ prefix }, SUBJECT), {
    callback: (error, message) => {
      const change = error ? undefined : readLogLevelChange(message.data);
      if (!change || (change.service !== 'all' && change.service !== service)) return;
      changeLogLevel(log, change);
      message.respond(`${service} ${hostname()}:${process.pid}`);
    },
  });
}

/**
 * Asks every replica of a service, or of all, to log at another level for a while.
 * @param options.url as of the bus
 * @returns the processes that do, sorted: service, host and process id
 * @throws DomainError unavailable while the broker does not answer
 */
export async function askForLogLevel(
  { url, prefix = '' }: { readonly url: string; readonly prefix?: string },
  change: LogLevelChange,
): Promise<string[]> {
  const connection = await connect({
    ...serversOf(url),
    name: 'log-level',
    timeout: CONNECT_MS,
    maxReconnectAttempts: 1,
  }).catch((error: unknown) => {
    throw unavailable('BROKER_UNAVAILABLE', { cause: error });
  });
  try {
    const heard: string[] = [];
    const options = { strategy: 'timer', maxWait: ANSWERS_MS } as const;
    const answers = await connection.requestMany(subjectName({ prefix }, SUBJECT), JSON.stringify(change), options);
    for await (const answer of answers) if (answer.data.length > 0) heard.push(answer.string());
    return heard.sort();
  } finally {
    await connection.close();
  }
}
