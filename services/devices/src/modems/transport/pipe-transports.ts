import { CommunicationFailure, type PipeTransport } from '../../acquisition/index.ts';
import type { ModemServer } from './modem-server.ts';

/** Opens pipes to loggers whose devices are connected to this process. */
export const pipeTransports = (
  modems: Pick<ModemServer, 'openPipe'>,
): readonly PipeTransport<'Scout' | 'TcpCallback'>[] =>
  (['Scout', 'TcpCallback'] as const).map((name) => ({
    name,
    target: ({ deviceId }) => `device ${deviceId}`,
    connect: async (_settings, { sourceId }) => {
      const pipe = modems.openPipe(sourceId);
      if (pipe === 'away') throw new CommunicationFailure('Device not connected');
      if (pipe === 'busy') throw new CommunicationFailure('Device is in use by another session or a remote client');
      return pipe;
    },
  }));
