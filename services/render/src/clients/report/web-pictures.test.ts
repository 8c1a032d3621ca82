// Servers of pictures that answer without an end, or a byte at a time.
import { createServer, type RequestListener } from 'node:http';
import { Egress, REMOTE_LIMITS, readRanges } from '@catchment/egress';
import { flood, HostileServers } from '@catchment/testkit';
import { webPictures } from './web-pictures.ts';

const servers = new HostileServers();
afterEach(() => servers.close());
const egress = new Egress({ allowed: readRanges(['127.0.0.0/8']) ?? [] });

async function endOf(answer: RequestListener, maxMs = 5_000): Promise<string> {
  const port = await servers.listen(createServer(answer));
  const pictures = webPictures(egress, { ...REMOTE_LIMITS.picture, maxMs });
  return pictures.fetch(`http://127.0.0.1:${port}/a.png`, new AbortController().signal).then(
    (bytes) => `${bytes.length} bytes`,
    (error: Error) => error.message,
  );
}

test.each<[string, RequestListener, string]>([
  [
    'a picture that never ends',
    (_, response) => flood(response.writeHead(200), Buffer.alloc(65_536)),
    'picture has more than 10 MiB: a smaller one comes through',
  ],
  [
    'a refusal that never ends',
    (_, response) => flood(response.writeHead(404), Buffer.alloc(65_536)),
    'it was answered 404',
  ],
  [
    'redirects that never end',
    ({ url }, response) => flood(response.writeHead(302, { location: `${url}x` }), Buffer.alloc(65_536)),
    'redirected more than 5 times',
  ],
  [
    'headers that never end',
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `x: ${'y'.repeat(1_000)}\r\n`);
    },
    'headers of the answer are too large',
  ],
])('%s ends at its limit', async (_what, answer, words) => {
  expect(await endOf(answer)).toBe(words);
});

test.each<[string, RequestListener]>([
  [
    'picture',
    (_, response) => {
      response.writeHead(200);
      servers.keep(() => response.write('x'));
    },
  ],
  ['head', ({ socket }) => servers.keep(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))],
])('a %s that comes a byte at a time ends at the time of the whole answer', async (_what, answer) => {
  expect(await endOf(answer, 100)).toBe('no answer within 0.1 s');
});
