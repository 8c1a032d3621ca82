import type { TLSSocket } from 'node:tls';
import { type Admission, type Listening, listenOn } from '../../listening/index.ts';
import { type FtpDeps, FtpSession } from './ftp-session.ts';
import { secured } from './secured.ts';

/** A file that comes when the process stops has this time. */
const DRAIN_MS = 8_000;

type FtpServer = { readonly ports: readonly number[]; close(): Promise<void> };

/** @param ports plain first, then implicit TLS; undefined = not wanted, 0 = any free one */
export async function openFtp(
  deps: FtpDeps & { readonly admission: Admission },
  ports: { readonly plain: number | undefined; readonly implicit: number | undefined },
): Promise<FtpServer> {
  const sessions = new Map<FtpSession, Promise<void>>();
  const serve = (session: FtpSession) => {
    sessions.set(
      session,
      session.run().finally(() => sessions.delete(session)),
    );
  };
  const listening: Listening[] = [];
  const { secureContext, host, admission, log } = deps;
  const plain = { admission, log, what: 'FTP', tooMany: '421 Too many connections: try again later\r\n' };
  if (ports.plain !== undefined)
    listening.push(await listenOn({ host, port: ports.plain }, plain, (socket) => serve(new FtpSession(socket, deps))));
  if (ports.implicit !== undefined && secureContext)
    listening.push(
      // The reasons why TLS is not agreed on are those of AUTH TLS.
      await listenOn({ host, port: ports.implicit }, { admission, log, what: 'FTP' }, (socket) => {
        secured(socket, secureContext, deps.limits.loginMs).then(
          (tls: TLSSocket) => serve(new FtpSession(tls, deps)),
          (err: unknown) => deps.log.debug({ err }, 'TLS handshake of FTP failed'),
        );
      }),
    );
  return {
    ports: listening.map(({ port }) => port),
    close: async () => {
      for (const server of listening) server.refuse();
      for (const session of sessions.keys()) session.drain(DRAIN_MS);
      await Promise.all(sessions.values());
      await Promise.all(listening.map((server) => server.close()));
    },
  };
}
