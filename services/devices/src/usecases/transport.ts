import type { TransportName } from '@catchment/contracts/transports';
import type { Logger } from '@catchment/telemetry';
import type { DeviceClass } from '../domain/device.ts';
import type { KnownTransports } from './known-transports.ts';
import type { Store, WriteToSource } from './ports.ts';

/** How data comes to sources (docs/reference/acquisition.md#transports); what makes one is a row of transport/transports.ts. */
export interface Transport {
  readonly name: TransportName;
  /** The class of the device that a source makes by naming its key; absent where the transport names no device. */
  readonly deviceClass?: DeviceClass;
  /** Starts to receive data; absent where data comes by other means. */
  open?(deps: TransportDeps): Promise<OpenTransport>;
}

export type TransportDeps = {
  readonly store: Store;
  readonly write: WriteToSource;
  /** Settings of sources for the transport, with their secrets. */
  readonly known: KnownTransports;
  readonly log: Logger;
  readonly now: () => number;
};

export type OpenTransport = {
  /** Where it listens, in the order of its settings. */
  readonly ports: readonly number[];
  close(): Promise<void>;
};
