import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type TlsServer = {
  readonly name: string;
  /** TLS begins at once, when asked for as PostgreSQL wants it, or after the greeting of NATS. */
  readonly protocol: 'tls' | 'postgresql' | 'nats';
  readonly host: string;
  readonly port: number;
};

/** The request has length 8 and code 80877103 (PostgreSQL, «SSLRequest»). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Returns the end, in Unix ms, of the certificate that a server shows. Nothing is sent over the connection, so it is not verified here:
 * whoever uses the server does that.
 * @throws Error while it does not speak TLS
 */
export async function presentedExpiry({ protocol, host, port }: TlsServer, signal: AbortSignal): Promise<number> {
  const socket = connect({ host, port });
  const end = () => socket.destroy(new Error('the time of the check is over'));
  signal.addEventListener('abort', end);
  try {
    await once(socket, 'connect');
    await begin[protocol](socket);
    const secure = connectTls({ socket, servername: /^[\d.:]+$/.test(host) ? '' : host, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    return Date.parse(secure.getPeerCertificate().valid_to);
  } finally {
    signal.removeEventListener('abort', end);
    socket.destroy();
  }
}

const begin: Record<TlsServer['protocol'], (socket: Socket) => Promise<unknown>> = {
  tls: async () => {},
  nats: (socket) => once(socket, 'data'),
  postgresql: async (socket) => {
    socket.write(SSL_REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (answer.toString('latin1', 0, 1) !== 'S') throw new Error('it offers no TLS');
  },
};
