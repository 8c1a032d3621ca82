import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

/** Connects and reads the account of JetStream. @throws Error while either does not answer */
export async function checkNats(url: string): Promise<void> {
  const { username, password, host } = new URL(url);
  const connection = await connect({
    servers: host,
    ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    reconnect: false,
    timeout: 2_000,
  });
  try {
    await (await jetstreamManager(connection, { timeout: 2_000 })).getAccountInfo();
  } finally {
    await connection.close();
  }
}
