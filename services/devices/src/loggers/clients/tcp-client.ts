import type { Duplex } from 'node:stream';
import { type Egress, failureWords } from '@catchment/egress';
import { CommunicationFailure, type PipeTransport } from '../../acquisition/index.ts';

const CONNECT_MS = 20_000;

/** Connects to a logger that listens at the host that the source names. */
export const tcpClient = (egress: Pick<Egress, 'connect'>): PipeTransport<'TcpClient'> => ({
  name: 'TcpClient',
  target: ({ host, port }) => `${host}:${port}`,
  connect: async ({ host, port }, _source, signal): Promise<Duplex> => {
    try {
      const socket = await egress.connect({ host, port, timeoutMs: CONNECT_MS, signal });
      return socket.setNoDelay(true);
    } catch (error) {
      signal.throwIfAborted();
      throw new CommunicationFailure(failureWords(error) ?? 'connection failed', { cause: error });
    }
  },
});
