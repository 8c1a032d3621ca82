import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import path from 'node:path';
import { freePort } from '@catchment/servers';
import { temporaryDataFolder } from './own-servers.ts';
import { until } from './until.ts';

export type KafkaServer = {
  /** host:port */
  readonly broker: string;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Restarts the server on the same port, with the same data. */
  restart(): Promise<void>;
  /**
   * Returns what a topic has, from its beginning, until `isAll` says that it is enough. @throws Error after two minutes
   */
  messages(topic: string, isAll: (all: readonly KafkaMessage[]) => boolean): Promise<KafkaMessage[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The message's value is a CloudEvent. */
export type KafkaMessage = {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
};

const START_LIMIT_MS = 90_000;
const READ_LIMIT_MS = 120_000;

/**
 * Starts a broker of Kafka in one process (KRaft), for one test alone.
 * @param options.jars folder with the jars of Kafka 4 (`npm run test:kafka -w services/events` gets them)
 * @param options.settings further lines of its configuration
 */
export async function ownKafka(options: { jars: string; settings?: readonly string[] }): Promise<KafkaServer> {
  const folder = await temporaryDataFolder();
  const [port, controllerPort] = [await freePort(), await freePort()];
  const properties = path.join(folder, 'server.properties');
  await mkdir(path.join(folder, 'data'));
  await writeFile(
    properties,
    [
      'process.roles=broker,controller',
      'node.id=1',
      `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
      `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
      'controller.listener.names=CONTROLLER',
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      `log.dirs=${path.join(folder, 'data')}`,
      'num.partitions=1',
      'offsets.topic.replication.factor=1',
      'offsets.topic.num.partitions=1',
      'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1',
      'group.initial.rebalance.delay.ms=0',
      ...(options.settings ?? []),
      '',
    ].join('\n'),
  );
  const java = (main: string, ...given: string[]): ChildProcess =>
    spawn('java', ['-Xmx384m', '-XX:+UseSerialGC', '-cp', path.join(options.jars, '*'), main, ...given], {
      stdio: 'ignore',
    });
  const format = java('kafka.tools.StorageTool', 'format', '-t', 'AAAAAAAAAAAAAAAAAAAAAQ', '-c', properties);
  const [code] = (await once(format, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the storage of Kafka could not be made (${code}): are its jars in ${options.jars}?`);

  let server: ChildProcess | undefined;
  const start = async () => {
    server = java('kafka.Kafka', properties);
    await until(() => isListening(port), { deadlineMs: START_LIMIT_MS, what: 'Kafka listens' });
  };
  const end = async (signal: NodeJS.Signals) => {
    const ended = server;
    server = undefined;
    if (!ended || ended.exitCode !== null) return;
    const closed = once(ended, 'close');
    ended.kill(signal);
    await closed;
  };
  process.once('exit', () => server?.kill('SIGKILL'));
  await start();
  return {
    broker: `127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    restart: start,
    messages: (topic, isAll) => messagesOf(`127.0.0.1:${port}`, topic, isAll),
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function messagesOf(broker: string, topic: string, isAll: (all: readonly KafkaMessage[]) => boolean) {
  // The client takes much memory: only tests of topics load it.
  const { Consumer, stringDeserializers } = await import('@platformatic/kafka');
  const consumer = new Consumer({
    groupId: randomUUID(),
    clientId: 'test',
    bootstrapBrokers: [broker],
    deserializers: stringDeserializers,
    autocreateTopics: true,
  });
  const all: KafkaMessage[] = [];
  let isLate = false;
  try {
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', maxWaitTime: 200, autocommit: false });
    const timer = setTimeout(() => {
      isLate = true;
      void stream.close();
    }, READ_LIMIT_MS);
    for await (const { key, value, headers } of stream) {
      all.push({ key, headers: Object.fromEntries(headers), event: JSON.parse(value) });
      if (isAll(all)) break;
    }
    clearTimeout(timer);
  } finally {
    await consumer.close(true);
  }
  if (isLate) throw new Error(`topic ${topic} has ${all.length} messages only after ${READ_LIMIT_MS} ms`);
  return all;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const answer = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
