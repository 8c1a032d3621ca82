// Some SMS gateways answer without an end, or a byte at a time.
import { createServer, type RequestListener } from 'node:http';
import { envReader } from '@catchment/config';
import { flood, HostileServers } from '@catchment/testkit';
import { httpSmsSender } from './http-sms-sender.ts';
import { readSmsSettings } from './sms-settings.ts';

const servers = new HostileServers();
afterEach(() => servers.close());

/** Tells how a message ends. */
async function endOf(answer: RequestListener, answerMs = 5_000): Promise<string> {
  const port = await servers.listen(createServer(answer));
  const env = {
    SMS_PRESET: 'twilio',
    SMS_URL: `http://127.0.0.1:${port}`,
    SMS_FROM: 'C',
    SMS_USER: 'u',
    SMS_PASSWORD: 'p',
  };
  const settings = readSmsSettings(envReader(env));
  if (!settings) return 'no settings';
  return httpSmsSender(settings, answerMs)
    .send({ id: 'e.0.u.sms', to: '+61865550100', text: 't' })
    .then(
      () => 'sent',
      (error: Error) => `${error.name} ${(error.cause as { code?: string } | undefined)?.code ?? error.message}`,
    );
}

test.each<[string, RequestListener, RegExp]>([
  [
    'a yes with a body that never ends is a yes',
    (_, response) => flood(response.writeHead(201), 'x'.repeat(1_000)),
    /^sent$/,
  ],
  [
    'a no with a body that never ends is a no',
    (_, response) => flood(response.writeHead(500), 'x'.repeat(1_000)),
    /500/,
  ],
  [
    'headers that never end are no answer',
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `x: ${'y'.repeat(1_000)}\r\n`);
    },
    /UND_ERR_HEADERS_OVERFLOW/,
  ],
  ['a redirect is not followed', (_, response) => void response.writeHead(302, { location: '/' }).end(), /302/],
])('%s', async (_what, answer, end) => {
  expect(await endOf(answer)).toMatch(end);
});

test.each<[string, RequestListener]>([
  [
    'headers, a byte at a time,',
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      servers.keep(() => socket.write('y'));
    },
  ],
  ['answers that are none yet', (_, response) => servers.keep(() => response.writeProcessing())],
])('%s end at the time of the whole answer', async (_what, answer) => {
  expect(await endOf(answer, 100)).toMatch(/^TimeoutError/);
});
