// Mail servers may answer without an end, or a byte at a time.
import { createServer, type Socket } from 'node:net';
import { LimitReached, type Limits, REMOTE_LIMITS } from '@catchment/egress';
import { flood, HostileServers } from '@catchment/testkit';
import { type MailSender, smtpSender } from './smtp-sender.ts';

const servers = new HostileServers();
const senders: MailSender[] = [];
afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
  servers.close();
});

const MAIL = { recipient: 'jo@example.org', subject: 's', text: 't', html: '<p>t</p>' };
const SHORT: Limits = { ...REMOTE_LIMITS.mail, maxMs: 200 };

/** Starts a server that says what `speak` does to a line of its client; '' is the connection. */
async function sending(speak: (line: string, socket: Socket) => void, limits?: Limits): Promise<MailSender> {
  const port = await servers.listen(
    createServer((socket) => {
      speak('', socket);
      socket.on('data', (bytes) => {
        for (const line of bytes.toString().split('\r\n').filter(Boolean)) speak(line, socket);
      });
    }),
  );
  const settings = { host: '127.0.0.1', port, security: 'off', login: undefined, from: 'c@example.org' } as const;
  const sender = smtpSender(settings, limits);
  senders.push(sender);
  return sender;
}
const polite = (line: string, socket: Socket): void => {
  if (line === '') socket.write('220 here\r\n');
  else if (/^DATA/.test(line)) socket.write('354 go on\r\n');
  else if (/^(?:EHLO|MAIL|RCPT|\.$)/.test(line)) socket.write('250 fine\r\n');
};
const at = (command: RegExp, how: (socket: Socket) => void) => (line: string, socket: Socket) =>
  command.test(line) ? how(socket) : polite(line, socket);

test.each<[string, (line: string, socket: Socket) => void]>([
  ['greeting that never ends', at(/^$/, (socket) => flood(socket, '220-hello\r\n'))],
  ['line that never ends', at(/^$/, (socket) => flood(socket, '2'.repeat(1_000)))],
  ['answer to EHLO that never ends', at(/^EHLO/, (socket) => flood(socket, '250-SIZE\r\n'))],
  ['refusal that never ends', at(/^RCPT/, (socket) => flood(socket, '550-no\r\n'))],
])('a %s ends the mail at the limit of bytes', async (_what, speak) => {
  const sender = await sending(speak);
  await expect(sender.send({ ...MAIL, mailId: '1' })).rejects.toThrow(/too large|exceed|limit/i);
});

test.each<[string, RegExp, string]>([
  ['greeting', /^$/, '2'],
  ['answer', /^MAIL/, '250-wait\r\n'],
  ['last answer', /^\.$/, '2'],
])('a %s that comes a byte at a time ends the mail at its time in all', async (_what, command, piece) => {
  const sender = await sending(
    at(command, (socket) => servers.keep(() => socket.write(piece))),
    SHORT,
  );
  const failure = await sender.send({ ...MAIL, mailId: '1' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LimitReached);
  expect(failure).toMatchObject({
    message: 'mail server was not over after 0.2 s: the operator of the server should look at it',
  });
});

test('a mail after one that was given up has a connection of its own', async () => {
  let [connections, isSlow] = [0, true];
  const limits = { ...SHORT };
  const sender = await sending((line, socket) => {
    if (line === '') connections += 1;
    if (line === '' && isSlow) servers.keep(() => socket.write('2'));
    else polite(line, socket);
  }, limits);
  // Where the machine stands still, the time of a mail may be over before its server has seen it.
  do await expect(sender.send({ ...MAIL, mailId: '1' })).rejects.toThrow(LimitReached);
  while (connections === 0);
  isSlow = false;
  limits.maxMs = REMOTE_LIMITS.mail.maxMs;
  const before = connections;
  await sender.send({ ...MAIL, mailId: '2' });
  expect(connections).toBe(before + 1);
});
