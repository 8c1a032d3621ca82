import type { Socket } from 'node:net';
import ssh2 from 'ssh2';
import { type Admission, listenOn } from '../../listening/index.ts';
import { type SftpDeps, SftpSession } from './sftp-session.ts';

/** A file that comes when the process stops has this time. */
const DRAIN_MS = 8_000;

/** @param deps.hostKeys private keys, PEM or OpenSSH; @param port 0 = any free one */
export async function openSftp(
  deps: SftpDeps & { readonly host: string; readonly hostKeys: readonly Buffer[]; readonly admission: Admission },
  port: number,
): Promise<{ readonly ports: readonly number[]; close(): Promise<void> }> {
  const sessions = new Map<SftpSession, Promise<void>>();
  /** These clients have not said yet that they speak SSH. The key is the client's address and port. */
  const silent = new Map<string, Socket>();
  // The sockets are ours: the library's own server never listens.
  const server = new ssh2.Server({ hostKeys: [...deps.hostKeys], ident: 'Catchment' }, (client, { ip, port: from }) => {
    const id = `${ip} ${from}`;
    const socket = silent.get(id);
    silent.delete(id);
    if (!socket) {
      client.end();
      return;
    }
    const session = new SftpSession(client, socket, deps);
    const running = session.run().finally(() => sessions.delete(session));
    sessions.set(session, running);
  });
  const { host, admission, log } = deps;
  const listening = await listenOn({ host, port }, { admission, log, what: 'SFTP' }, (socket) => {
    const id = `${socket.remoteAddress} ${socket.remotePort}`;
    silent.set(id, socket);
    const timer = setTimeout(() => silent.get(id) === socket && socket.destroy(), deps.limits.loginMs);
    socket.once('close', () => {
      clearTimeout(timer);
      if (silent.get(id) === socket) silent.delete(id);
    });
    // Answers are small, and a client sends its next part when it has one.
    socket.setNoDelay(true);
    server.injectSocket(socket);
  });
  return {
    ports: [listening.port],
    close: async () => {
      listening.refuse();
      for (const session of sessions.keys()) session.drain(DRAIN_MS);
      await Promise.all(sessions.values());
      await listening.close();
    },
  };
}
