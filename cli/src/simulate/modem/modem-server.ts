// Tests run this server of the protocol.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A message of a modem. */
export type Message = Record<string, unknown> & { type: string };
type Answer = (message: Message, reply: (answer: unknown) => void, socket: Socket) => void;

/** A server of the protocol with given answers that records its messages. */
export async function serve(answer: Answer): Promise<{ port: number; got: Message[]; server: Server }> {
  const got: Message[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const lines = createInterface({ input: socket });
    // Errors of the socket are the reader's too.
    lines.on('error', () => {});
    lines.on('line', (line) => {
      // This is the rest of a broken connection.
      if (!line.endsWith('}')) return;
      const message = JSON.parse(line) as Message;
      got.push(message);
      answer(message, (reply) => socket.write(`${JSON.stringify(reply)}\n`), socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, got, server };
}

export const WELCOME = { type: 'welcome', ackedSeq: 0, statusIntervalSeconds: 600 };
