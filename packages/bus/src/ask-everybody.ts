import { unavailable } from '@catchment/errors';
import { connect, type Msg, NoRespondersError } from '@nats-io/transport-node';
import { subjectName } from './naming.ts';
import { serversOf } from './servers-of.ts';

const CONNECT_MS = 5_000;
/** Processes that are there have answered by then. */
const ANSWERS_MS = 1_500;

/** The installation has this broker; `url` is that of the bus. */
export type Where = { readonly url: string; readonly prefix?: string };

/**
 * Asks every process that listens to a subject.
 * @param name of the connection, for operators of the broker
 * @throws DomainError unavailable while the broker does not answer
 */
export async function askEverybody(
  { url, prefix = '' }: Where,
  name: string,
  subject: string,
  data = '',
): Promise<Msg[]> {
  const options = { ...serversOf(url), name, timeout: CONNECT_MS, maxReconnectAttempts: 1 };
  const connection = await connect(options).catch((error: unknown) => {
    throw unavailable('BROKER_UNAVAILABLE', { cause: error });
  });
  try {
    const waiting = { strategy: 'timer', maxWait: ANSWERS_MS } as const;
    const asked = await connection.requestMany(subjectName({ prefix }, subject), data, waiting);
    return (await Array.fromAsync(asked)).filter((answer) => answer.data.length > 0);
  } catch (error) {
    // Nobody listens.
    if (error instanceof NoRespondersError) return [];
    throw error;
  } finally {
    await connection.close();
  }
}
