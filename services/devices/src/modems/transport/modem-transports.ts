import { listenersOf, type TlsFiles, type Transport } from '../../listening/index.ts';
import type { DeviceProtocol, ModemServer } from './modem-server.ts';

/** Devices of a kind connect here. */
export type ListenerSettings = TlsFiles & {
  readonly host: string;
  /** Undefined: they do not connect to this process. */
  readonly port: number | undefined;
  readonly tlsPort: number;
};

/** Scout modems (docs/modem-protocol.md) and call-back loggers, which connect by themselves. */
export const modemTransports = (
  modems: ModemServer,
  settings: { readonly scout: ListenerSettings; readonly callback: ListenerSettings },
): readonly Transport[] => {
  const open = (protocol: DeviceProtocol, of: ListenerSettings) => async () => {
    const ports: number[] = [];
    for (const listener of await listenersOf(PREFIX[protocol], of)) ports.push(await modems.listen(protocol, listener));
    return { ports, close: async () => {} };
  };
  return [
    { name: 'Scout', open: open('Scout', settings.scout) },
    { name: 'TcpCallback', open: open('TcpCallback', settings.callback) },
  ];
};

const PREFIX: Record<DeviceProtocol, string> = { Scout: 'SCOUT', TcpCallback: 'CALLBACK' };
