import type { TransportName } from '@catchment/contracts/transports';

/** Data comes to sources by transports (docs/reference/acquisition.md#transports); a room makes each. */
export interface Transport {
  readonly name: TransportName;
  /** Starts to receive data. */
  open(): Promise<OpenTransport>;
}

type OpenTransport = {
  /** It listens at these ports, in the order of its settings. */
  readonly ports: readonly number[];
  close(): Promise<void>;
};
