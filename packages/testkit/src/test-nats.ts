import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { testServerUrl } from './server-url.ts';

export type TestNats = {
  /** The URL has a user and a password. */
  readonly url: string;
  /** Unique word for `openBus({ servers, prefix })`: subjects begin with `<prefix>.`, streams with `<PREFIX>_`. */
  readonly prefix: string;
  /** Deletes the streams with the prefix. */
  drop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** Gives one test file a prefix of the run's NATS. */
export async function testNats(): Promise<TestNats> {
  const url = await testServerUrl('nats');
  const prefix = `t${randomBytes(6).toString('hex')}`;
  const drop = () => deleteStreams(url, prefix);
  return { url, prefix, drop, [Symbol.asyncDispose]: drop };
}

/** Makes options for `connect()` of `@nats-io/transport-node`, which does not read a login from its URL. */
export function natsLogin(url: string): { servers: string; user?: string; pass?: string } {
  const { host, username, password } = new URL(url);
  if (!username) return { servers: host };
  return { servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

async function deleteStreams(url: string, prefix: string): Promise<void> {
  const connection = await connect({ ...natsLogin(url), reconnect: false });
  try {
    const manager = await jetstreamManager(connection);
    const ours: string[] = [];
    for await (const { config } of manager.streams.list()) {
      const name = config.name.toLowerCase();
      if (name.startsWith(`${prefix}_`) || name.startsWith(`obj_${prefix}`) || name.startsWith(`kv_${prefix}`)) {
        ours.push(config.name);
      }
    }
    for (const name of ours) await manager.streams.delete(name);
  } finally {
    await connection.close();
  }
}
