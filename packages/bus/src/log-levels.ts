import { hostname } from 'node:os';
import { invalid } from '@catchment/errors';
import { type Logger, type LogLevelChange, takeLogLevelChange } from '@catchment/telemetry';
import type { NatsConnection } from '@nats-io/transport-node';
import { askEverybody, type Where } from './ask-everybody.ts';
import { type Naming, subjectName } from './naming.ts';

const SUBJECT = 'now.log-level';
/** The inbox of whoever has asked. An answer cannot be sent to any other subject. */
const INBOX = /^_INBOX(\.\w{1,64}){1,3}$/;

/** Applies changes of the log level of a service, and answers whoever has asked. */
export function followLogLevels(
  connection: NatsConnection,
  { prefix, service, log }: { readonly prefix: string; readonly service: string; readonly log: Logger },
): void {
  watchLogLevels(connection, { prefix }, (change, answerTo) => {
    if (takeLogLevelChange(log, service, change))
      answerLogLevel(connection, answerTo, `${service} ${hostname()}:${process.pid}`);
  });
}

/** Calls back with each change of a log level, of any service. */
export function watchLogLevels(
  connection: NatsConnection,
  naming: Naming,
  onChange: (change: Uint8Array, answerTo: string) => void,
): void {
  connection.subscribe(subjectName(naming, SUBJECT), {
    callback: (error, message) => {
      if (!error) onChange(message.data, message.reply ?? '');
    },
  });
}

/** @throws DomainError invalid_argument: nobody waits for answers there */
export function answerLogLevel(connection: NatsConnection, answerTo: string, who: string): void {
  if (!INBOX.test(answerTo)) throw invalid('INVALID_ARGUMENT', 'answerTo: must be as it came with the change');
  if (!connection.isClosed()) connection.publish(answerTo, who);
}

/**
 * Asks every replica of a service, or of all, to log at another level for a while.
 * @param options.url as of the bus
 * @returns the processes that do, sorted: service, host and process id
 * @throws DomainError unavailable while the broker does not answer
 */
export async function askForLogLevel(where: Where, change: LogLevelChange): Promise<string[]> {
  const answers = await askEverybody(where, 'log-level', SUBJECT, JSON.stringify(change));
  return answers.map((answer) => answer.string()).sort();
}
