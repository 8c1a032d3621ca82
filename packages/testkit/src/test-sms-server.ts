import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from './until.ts';

type ReceivedSms = {
  readonly to: string;
  readonly from: string;
  readonly text: string;
  /** The id is the same at every try of a message. */
  readonly id: string;
  /** The header as it came; empty = none. */
  readonly authorization: string;
};

export type TestSmsServer = {
  /** Takes the form of Twilio. */
  readonly url: string;
  /** Everything that was accepted, in order. */
  readonly messages: readonly ReceivedSms[];
  /** Every request, accepted or not. */
  readonly tried: readonly ReceivedSms[];
  /** The newest message to a number, once there are that many. */
  smsTo(number: string, count?: number): Promise<ReceivedSms>;
  /** The status to answer; undefined = 201, and the message is taken. `hang`: no answer at all. */
  answer(status: (message: ReceivedSms) => number | 'hang' | undefined): void;
  close(): Promise<void>;
};

/**
 * Starts a gateway for SMS on a real socket that keeps what it gets.
 * @param options.port default: a free one
 */
export async function testSmsServer(options: { port?: number } = {}): Promise<TestSmsServer> {
  const messages: ReceivedSms[] = [];
  const tried: ReceivedSms[] = [];
  let statusOf: (message: ReceivedSms) => number | 'hang' | undefined = () => undefined;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const header = (name: string) => String(request.headers[name] ?? '');
    const message = {
      to: form.get('To') ?? '',
      from: form.get('From') ?? '',
      text: form.get('Body') ?? '',
      id: header('idempotency-key'),
      authorization: header('authorization'),
    };
    tried.push(message);
    const isForm = request.method === 'POST' && header('content-type') === 'application/x-www-form-urlencoded';
    const status = isForm ? statusOf(message) : 415;
    if (status === 'hang') return;
    if (status === undefined) messages.push(message);
    response.writeHead(status ?? 201, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(JSON.stringify({ sid: `SM${tried.length}`, status: status === undefined ? 'queued' : 'failed' }));
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/2010-04-01/Accounts/AC1/Messages.json`,
    messages,
    tried,
    smsTo: (number, count = 1) =>
      until(
        () => {
          const all = messages.filter(({ to }) => to === number);
          return all.length >= count ? all.at(-1) : undefined;
        },
        { what: `SMS ${count} to ${number}` },
      ),
    answer: (status) => {
      statusOf = status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
