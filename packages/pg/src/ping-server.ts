import pg from 'pg';
import { isSilence } from './pg-errors.ts';

/**
 * Asks PostgreSQL for a sign of life, on a separate connection. A refusal is one: whoever asks it next gets the same, at once.
 * @throws when nothing comes until `signal` is aborted
 */
export async function pingServer(url: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'ping' });
  client.on('error', () => {});
  const disconnect = () => client.connection.stream.destroy();
  signal.addEventListener('abort', disconnect, { once: true });
  try {
    await client.connect();
    await client.query('SELECT');
    await client.end();
  } catch (error) {
    if (signal.aborted || isSilence(error)) throw error;
  } finally {
    signal.removeEventListener('abort', disconnect);
    disconnect();
  }
}
