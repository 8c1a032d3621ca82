import type { TransportName } from '@catchment/contracts/transports';
import type { Logger } from '@catchment/telemetry';
import type { DeviceClass } from '../domain/device.ts';
import type { MessageMemory } from './message-memory.ts';
import type { FileWrites, Nodes, Store, WriteToSource } from './ports.ts';
import type { PushSources } from './push-sources.ts';

/**
 * Data comes to sources by transports (docs/reference/acquisition.md#transports); a row of transport/transports.ts
 * makes one.
 */
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
  /** The same transport in other replicas. */
  readonly replicas: Replicas;
  /** For reading messages of any size. */
  readonly memory: MessageMemory;
  /** Sources by their push keys. */
  readonly pushSources: PushSources;
  readonly fileSettings: Nodes['fileSettings'];
  /** For what is read as a file. */
  readonly historic: FileWrites;
  /** A file waits for its turn. */
  readonly wake: () => void;
  readonly log: Logger;
  readonly now: () => number;
};

/** A message is heard at once by all replicas that are there, the sender included; a lost message is lost. */
export type Replicas = {
  say(subject: string, text: string): void;
  hear(subject: string, heard: (text: string) => void): void;
};

type OpenTransport = {
  /** The ports where it listens, in the order of its settings. */
  readonly ports: readonly number[];
  close(): Promise<void>;
};
