// Servers of files send without an end, or a byte at a time: each answer has limits of bytes, parts and time in all.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type SettingsOf, settingsOf, type TransportName, transportSettings } from '@catchment/contracts/transports';
import { Egress, REMOTE_LIMITS, type RemoteLimits, readRanges } from '@catchment/egress';
import { flood, HostileServers } from '@catchment/testkit';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { CommunicationFailure, type FileTransport } from '../src/acquisition/index.ts';
import { FtpDownload, HttpDownload, S3Download, SftpDownload } from '../src/downloads/index.ts';
import { sessionSource } from './fakes.ts';

const KIB = 1024;
const egress = new Egress({ allowed: readRanges(['127.0.0.0/8']) ?? [] });
/** The limits are small, with time enough for what has no end. */
const SMALL: RemoteLimits = {
  ...REMOTE_LIMITS,
  reply: { ...REMOTE_LIMITS.reply, maxBytes: 64 * KIB },
  page: { ...REMOTE_LIMITS.page, maxBytes: 64 * KIB },
  listing: { ...REMOTE_LIMITS.listing, maxBytes: 512 * KIB, maxParts: 1_000, maxPages: 20 },
  file: { ...REMOTE_LIMITS.file, maxBytes: 512 * KIB },
};
/** One step ends soon whatever comes; a busy machine may take its time for the others. */
const short = (step: keyof RemoteLimits): RemoteLimits => ({
  ...REMOTE_LIMITS,
  [step]: { ...REMOTE_LIMITS[step], maxMs: step === 'login' ? 1_000 : 100 },
});
const ASK = 'the operator of the server should look at it';

const servers = new HostileServers();
const listening = (server: Server) => servers.listen(server);
afterEach(() => servers.close());

/** Sends a byte every few milliseconds. It is no digit: the client of FTP takes three digits that come at once for a whole reply. */
const drip = (to: { write(text: string): unknown }) => servers.keep(() => to.write('x'));

const source = sessionSource();

/** Returns how the work of a session ends, and what came until then. */
async function endOf<N extends TransportName>(
  transport: FileTransport<N>,
  fields: Partial<SettingsOf<N>>,
  step: 'list' | 'read' | 'remove',
): Promise<string> {
  const { signal } = new AbortController();
  const settings = settingsOf(transport.name, transportSettings(transport.name, fields)) as SettingsOf<N>;
  const file = { path: 'a.csv', name: 'a.csv' };
  try {
    const connection = await transport.connect(settings, source, signal);
    try {
      if (step === 'list') for await (const _ of connection.files(signal));
      if (step === 'read') for await (const _ of connection.read(file, 0, signal));
      if (step === 'remove') await connection.remove?.(file, signal);
    } finally {
      await connection.close();
    }
    return 'came to its end';
  } catch (error) {
    return error instanceof CommunicationFailure ? error.message : `no failure of communication: ${error}`;
  }
}

describe('S3', () => {
  const XML = '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>';
  const entries = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `<Contents><Key>k${from + n}.csv</Key><Size>1</Size></Contents>`).join('');
  const page = (content: string, next?: string) =>
    `${XML}<IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}${content}</ListBucketResult>`;
  let asked = 0;
  const endOfS3 = async (answer: RequestListener, step: 'list' | 'read' | 'remove', limits = SMALL) => {
    asked = 0;
    const port = await listening(
      createServer((request, response) => {
        asked += 1;
        response.setHeader('content-type', 'application/xml');
        answer(request, response);
      }),
    );
    const endpoint = `http://127.0.0.1:${port}`;
    return endOf(new S3Download(egress, limits), { bucket: 'b', accessKeyId: 'a', secret: 's', endpoint }, step);
  };

  test.each<[string, RequestListener, 'list' | 'read' | 'remove', string]>([
    [
      'a list that never ends',
      (_, response) => void flood(response.writeHead(200), `${entries(100)}`),
      'list',
      `page of the listing has more than 64 KiB: ${ASK}`,
    ],
    [
      'a name that never ends',
      (_, response) => {
        response.writeHead(200).write(`${XML}<Contents><Key>`);
        flood(response, 'k'.repeat(1_000));
      },
      'list',
      `page of the listing has more than 64 KiB: ${ASK}`,
    ],
    [
      'a refusal that never ends, of a list',
      (_, response) => void flood(response.writeHead(403), '<Error><Code>AccessDenied</Code>'),
      'list',
      `answer has more than 64 KiB: ${ASK}`,
    ],
    [
      'a refusal that never ends, of an object',
      (_, response) => void flood(response.writeHead(404), '<Error><Code>NoSuchKey</Code>'),
      'read',
      `answer has more than 64 KiB: ${ASK}`,
    ],
    [
      'an answer to a removal that never ends',
      (_, response) => void flood(response.writeHead(200), 'x'.repeat(1_000)),
      'remove',
      `answer has more than 64 KiB: ${ASK}`,
    ],
    [
      'an object that never ends',
      (_, response) => void flood(response.writeHead(200), 'x'.repeat(1_000)),
      'read',
      'file has more than 512 KiB: smaller files come through',
    ],
    [
      'a list that is always truncated, with one token',
      (_, response) => void response.end(page(entries(1), 'again')),
      'list',
      'listing does not go on: the endpoint repeats a page of it',
    ],
    [
      'a list that is truncated without a token',
      (_, response) => void response.end(page(entries(1), '').replace(/<Next.*Token>/, '')),
      'list',
      'listing does not go on: the endpoint repeats a page of it',
    ],
    [
      'a list that is always truncated, with new tokens and entries',
      (_, response) => void response.end(page(entries(100, 100 * asked), `t${asked}`)),
      'list',
      'listing has more than 1000 entries: the transport may name a smaller folder',
    ],
    [
      'a list that is always truncated, with tokens that take turns and nothing in it',
      (_, response) => void response.end(page('', `t${asked % 3}`)),
      'list',
      'listing has more than 20 pages: the transport may name a smaller folder',
    ],
  ])('%s ends at its limit', async (_what, answer, step, words) => {
    expect(await endOfS3(answer, step)).toBe(words);
  });

  test.each<[string, number, 'list' | 'read', string]>([
    ['list', 200, 'list', `page of the listing was not over after 0.1 s: ${ASK}`],
    ['refusal', 500, 'list', `page of the listing was not over after 0.1 s: ${ASK}`],
    ['object', 200, 'read', 'file was not over after 0.1 s: smaller files come through'],
  ])('a byte at a time of a %s [%s] ends at the time of the whole answer', async (_what, status, step, words) => {
    expect(
      await endOfS3(
        (_, response) => void drip(response.writeHead(status)),
        step,
        short(step === 'list' ? 'page' : 'file'),
      ),
    ).toBe(words);
  });
});

describe('FTP', () => {
  type Commands = Readonly<Record<string, (control: Socket) => void>>;
  /** This server speaks enough of RFC 959 for a client to log in and to ask. */
  const ftp = (commands: Commands, greet: (control: Socket) => void = (control) => control.write('220 hello\r\n')) =>
    listening(
      createTcpServer((control) => {
        greet(control);
        control.on('data', (bytes) => {
          for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
            const [name = ''] = line.split(' ');
            const own = commands[name];
            if (own) own(control);
            else if (name === 'USER') control.write('331 go on\r\n');
            else if (name === 'PASS') control.write('230 in\r\n');
            else if (name === 'MLSD' || name === 'LIST') control.write('502 no\r\n');
            else control.write('200 fine\r\n');
          }
        });
      }),
    );
  /** Data connections are open before the command is sent. */
  const endOfFtp = async (
    {
      commands = {},
      greet,
      data,
    }: { commands?: Commands; greet?: (control: Socket) => void; data?: (to: Socket) => void },
    step: 'list' | 'read' | 'remove',
    limits = SMALL,
  ) => {
    const all: Record<string, Commands[string]> = { ...commands };
    if (data) {
      const opened: Socket[] = [];
      all.EPSV = (control) =>
        void listening(createTcpServer((socket) => void opened.push(socket))).then((port) =>
          control.write(`229 Extended (|||${port}|)\r\n`),
        );
      const start = (control: Socket) => {
        control.write('150 here it comes\r\n');
        for (const to of opened.splice(0)) data(to);
      };
      Object.assign(all, { LIST: start, MLSD: start, RETR: start });
    }
    const port = await ftp(all, greet);
    const settings = { host: '127.0.0.1', port, mode: 'FTP', path: '', user: 'u', password: 'p' };
    return endOf(new FtpDownload(egress, { limits }), settings, step);
  };
  const line = (n: number) => `type=file;size=1; f${n}.csv\r\n`;

  test.each<[string, Parameters<typeof endOfFtp>[0], 'list' | 'read' | 'remove', string]>([
    [
      'a greeting of lines that never ends',
      { greet: (control) => flood(control, '220-hello\r\n') },
      'list',
      `answer has more than 64 KiB: ${ASK}`,
    ],
    [
      'a greeting without a line end',
      { greet: (control) => flood(control, '2'.repeat(1_000)) },
      'list',
      `login has more than 1 MiB: ${ASK}`,
    ],
    [
      'requests to wait in the place of a greeting',
      { greet: (control) => flood(control, '120 wait\r\n') },
      'list',
      'answered 120 wait',
    ],
    [
      'requests to wait after a command',
      { commands: { DELE: (control) => flood(control, '150 wait\r\n') } },
      'remove',
      `answer has more than 64 KiB: ${ASK}`,
    ],
    [
      'a list of entries that never ends',
      { data: (to) => flood(to, Array.from({ length: 50 }, (_, n) => line(n)).join('')) },
      'list',
      'listing has more than 1000 entries: the transport may name a smaller folder',
    ],
    [
      'a list of what is no entry that never ends',
      { data: (to) => flood(to, `${'total 1\r\n'.repeat(100)}`) },
      'list',
      'listing has more than 512 KiB: the transport may name a smaller folder',
    ],
    [
      'a line that never ends',
      { data: (to) => flood(to, 'x'.repeat(1_000)) },
      'list',
      'line of the listing has more than 8 KiB: the path may name another folder',
    ],
    [
      'a file that never ends',
      { data: (to) => flood(to, 'x'.repeat(1_000)) },
      'read',
      'file has more than 512 KiB: smaller files come through',
    ],
  ])('%s ends at its limit', async (_what, server, step, words) => {
    expect(await endOfFtp(server, step)).toBe(words);
  });

  test.each<[keyof RemoteLimits, Parameters<typeof endOfFtp>[0], 'list' | 'read' | 'remove', string]>([
    ['login', { greet: (control) => drip(control) }, 'list', `login was not over after 1 s: ${ASK}`],
    [
      'listing',
      { data: (to) => drip(to) },
      'list',
      'listing was not over after 0.1 s: the transport may name a smaller folder',
    ],
    ['file', { data: (to) => drip(to) }, 'read', 'file was not over after 0.1 s: smaller files come through'],
    ['reply', { commands: { DELE: (control) => drip(control) } }, 'remove', `answer was not over after 0.1 s: ${ASK}`],
  ])('a byte at a time of a %s ends at the time of the whole answer', async (slow, server, step, words) => {
    expect(await endOfFtp(server, step, short(slow))).toBe(words);
  });
});

describe('SFTP', () => {
  const { privateKey: hostKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const hostKeys = { find: async () => undefined, remember: async () => undefined };
  const { STATUS_CODE } = ssh2.utils.sftp;
  const HANDLE = Buffer.from('handle');
  const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 1_000_000_000, atime: 0, mtime: 0 };
  const entry = (filename: string) => ({ filename, longname: filename, attrs });

  function sftpServer(speak: (sftp: SFTPWrapper) => void, accept = (ready: () => void): void => ready()) {
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (context) => accept(() => context.accept()));
      client.on('ready', () => {
        client.on('session', (session) => {
          session().on('sftp', (open) => {
            const sftp = open();
            sftp.on('OPENDIR', (id) => sftp.handle(id, HANDLE)).on('OPEN', (id) => sftp.handle(id, HANDLE));
            sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK)).on('FSTAT', (id) => sftp.attrs(id, attrs));
            speak(sftp);
          });
        });
      });
    });
    return listening(createTcpServer((socket) => server.injectSocket(socket)));
  }
  const endOfSftp = async (port: number, step: 'list' | 'read' | 'remove', limits = SMALL) => {
    const settings = { host: '127.0.0.1', port, user: 'u', password: 'p', path: '', hostKey: '' };
    return endOf(new SftpDownload(egress, hostKeys, limits), settings, step);
  };

  test.each<[string, (sftp: SFTPWrapper) => void, 'list' | 'read' | 'remove', string]>([
    [
      'a list of entries that never ends',
      (sftp) =>
        void sftp.on('READDIR', (id) =>
          sftp.name(
            id,
            Array.from({ length: 50 }, (_, n) => entry(`f${n}.csv`)),
          ),
        ),
      'list',
      'listing has more than 1000 entries: the transport may name a smaller folder',
    ],
    [
      'a list of long names that never ends',
      (sftp) => void sftp.on('READDIR', (id) => sftp.name(id, [entry('n'.repeat(50_000))])),
      'list',
      'listing has more than 512 KiB: the transport may name a smaller folder',
    ],
    [
      'a list of nothing that never ends',
      (sftp) => void sftp.on('READDIR', (id) => sftp.name(id, [])),
      'list',
      'listing has more than 20 pages: the transport may name a smaller folder',
    ],
    [
      'a file that never ends',
      (sftp) => void sftp.on('READ', (id, _handle, _offset, length) => sftp.data(id, Buffer.alloc(length))),
      'read',
      'file has more than 512 KiB: smaller files come through',
    ],
  ])('%s ends at its limit', async (_what, speak, step, words) => {
    expect(await endOfSftp(await sftpServer(speak), step)).toBe(words);
  });

  test.each<[string, (sftp: SFTPWrapper) => void, 'list' | 'read' | 'remove', string]>([
    [
      'list without an answer',
      () => undefined,
      'list',
      'listing was not over after 0.1 s: the transport may name a smaller folder',
    ],
    [
      'file, a byte at a time',
      (sftp) => void sftp.on('READ', (id) => sftp.data(id, Buffer.alloc(1))),
      'read',
      'file was not over after 0.1 s: smaller files come through',
    ],
    [
      'removal without an answer',
      (sftp) => void sftp.on('REMOVE', () => undefined),
      'remove',
      `answer was not over after 0.1 s: ${ASK}`,
    ],
  ])('a %s ends at the time of the whole answer', async (_what, speak, step, words) => {
    const slow = ({ list: 'listing', read: 'file', remove: 'reply' } as const)[step];
    expect(await endOfSftp(await sftpServer(speak), step, short(slow))).toBe(words);
  });

  test.each<[string, (socket: Socket) => void, RemoteLimits, string | RegExp]>([
    [
      'a greeting without an end',
      (socket) => flood(socket, 'hello\r\n'),
      SMALL,
      /^answer is no SSH that is understood/,
    ],
    [
      'a greeting of one line',
      (socket) => flood(socket, 'x'.repeat(1_000)),
      SMALL,
      /^answer is no SSH that is understood/,
    ],
    ['a greeting, a byte at a time,', (socket) => drip(socket), short('login'), `login was not over after 1 s: ${ASK}`],
  ])('%s ends', async (_what, greet, limits, words) => {
    expect(await endOfSftp(await listening(createTcpServer(greet)), 'list', limits)).toMatch(words);
  });

  test('a login that is accepted and then without SFTP ends', async () => {
    const port = await sftpServer(
      () => undefined,
      () => undefined,
    );
    expect(await endOfSftp(port, 'list', short('login'))).toBe(`login was not over after 1 s: ${ASK}`);
  });
});

describe('HTTP', () => {
  const endOfHttp = async (answer: RequestListener, limitMs = 300_000) => {
    const port = await listening(createServer(answer));
    const url = `http://127.0.0.1:${port}/a.csv`;
    const transport = new HttpDownload({ egress, renderUrl: async () => url, now: Date.now }, { limitMs });
    const settings = settingsOf('HttpDownload', transportSettings('HttpDownload', { headers: [] }))!;
    const { signal } = new AbortController();
    const files = { ...source, _id: source.sourceId, readMode: 'NEW', files: [{ match: url }] };
    const connection = await transport.connect(settings, { ...source, files });
    try {
      for await (const file of connection.files(signal)) for await (const _ of connection.read({ ...file }, 0, signal));
      return 'came to its end';
    } catch (error) {
      return error instanceof CommunicationFailure ? error.message : `no failure of communication: ${error}`;
    } finally {
      await connection.close();
    }
  };

  test.each<[string, RequestListener, string]>([
    [
      'headers without an end',
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        flood(socket, `x: ${'y'.repeat(1_000)}\r\n`);
      },
      'headers of the answer are too large',
    ],
    [
      'redirects without an end, each with a body without an end',
      (request, response) => flood(response.writeHead(302, { location: `${request.url}x` }), 'x'.repeat(1_000)),
      'redirected more than 5 times',
    ],
    [
      'a refusal without an end',
      (_, response) => flood(response.writeHead(500), 'x'.repeat(1_000)),
      "'a.csv' was answered 500 Internal Server Error",
    ],
    [
      'a file without an end',
      (_, response) => flood(response.writeHead(200), Buffer.alloc(256 * KIB)),
      'answer has more than 128 MiB: smaller files come through',
    ],
  ])('%s ends at its limit', async (_what, answer, words) => {
    expect(await endOfHttp(answer)).toBe(words);
  });

  test.each<[string, RequestListener]>([
    ['of a file', (_, response) => drip(response.writeHead(200))],
    [
      'of headers',
      ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        drip(socket);
      },
    ],
    [
      'of answers that are none yet',
      (_, response) => {
        servers.keep(() => response.writeProcessing());
      },
    ],
  ])('a byte at a time %s ends at the time of the whole answer', async (_what, answer) => {
    expect(await endOfHttp(answer, 100)).toBe('no answer within 0.1 s');
  });
});
