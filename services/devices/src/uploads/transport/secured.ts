import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

/**
 * Returns a connection in TLS, once it is agreed on.
 * @throws Error when the client does not agree in time; the connection is closed then
 */
export function secured(socket: Socket, secureContext: SecureContext, limitMs: number): Promise<TLSSocket> {
  const tls = new TLSSocket(socket, { isServer: true, secureContext });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('TLS handshake took too long')), limitMs);
    const left = () => fail(new Error('the client left during the TLS handshake'));
    tls.on('error', fail);
    socket.once('close', left);
    tls.once('secure', () => {
      clearTimeout(timer);
      socket.off('close', left);
      tls.off('error', fail);
      tls.on('error', () => {});
      resolve(tls);
    });
  });
}
