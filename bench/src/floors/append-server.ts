// The floor of small writes: a bare server of Node that parses the same JSON and appends it to JetStream, in groups; 202 when the broker has it.
// Requests that come during an append are the next group. Prints its port; ends with its standard input.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const NAME = 'FLOOR';
const SUBJECT = 'floor';

const { username, password, host } = new URL(process.argv[2] ?? '');
const broker = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
const manager = await jetstreamManager(broker);
await manager.streams.add({ name: NAME, subjects: [SUBJECT], storage: StorageType.File });
const log = jetstream(broker);

type Waiting = { readonly document: unknown; readonly response: ServerResponse };
let waiting: Waiting[] = [];
let isAppending = false;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    waiting.push({ document: JSON.parse(body), response });
    if (!isAppending) setImmediate(append);
    isAppending = true;
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());

async function append(): Promise<void> {
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await log.publish(SUBJECT, Buffer.from(JSON.stringify(group.map(({ document }) => document))));
    for (const { response } of group) response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
  }
  isAppending = false;
}
