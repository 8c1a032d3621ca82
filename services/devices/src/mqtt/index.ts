import type { EnvReader } from '@catchment/config';
import type { Logger } from '@catchment/telemetry';
import {
  Admission,
  type AdmissionLimits,
  FailedIdents,
  type FailureLimits,
  type ListenerSettings,
  listenerSettings,
  listenersOf,
  type MessageMemory,
  type Transport,
} from '../listening/index.ts';
import type { FileWrites, Nodes, PushSources, WriteToSource } from '../sources/index.ts';
import { MqttServer } from './transport/mqtt-server.ts';
import { Authenticator } from './usecases/authenticator.ts';
import { MessageTaker } from './usecases/message-taker.ts';
import type { Store } from './usecases/ports.ts';
import { Refusals } from './usecases/refusals.ts';
import type { Replicas } from './usecases/replicas.ts';
import { TakeOvers } from './usecases/take-overs.ts';

/** A look-up of a key costs less. */
const REFUSAL_MS = 250;

export type MqttSettings = AdmissionLimits &
  FailureLimits &
  ListenerSettings & {
    readonly connectLimitMs: number;
  };

export type MqttDeps = {
  /** Setting CLASS_NAMESPACE. */
  readonly namespace: string;
  readonly store: Store;
  readonly write: WriteToSource;
  /** This transport in other replicas. */
  readonly replicas: Replicas;
  /** Messages of any size are read in this memory. */
  readonly memory: MessageMemory;
  /** Sources by their push keys. */
  readonly pushSources: PushSources;
  readonly fileSettings: Nodes['fileSettings'];
  /** Stores what is read as a file. */
  readonly historic: FileWrites;
  /** A file waits for its turn. */
  readonly wake: () => void;
  readonly log: Logger;
  readonly now: () => number;
};

/** Reads settings of the MQTT listeners; see the README of devices. */
export function mqttSettings(read: EnvReader): MqttSettings {
  return {
    ...listenerSettings(read, 'mqtt'),
    maxConnections: read.int('MQTT_MAX_CONNECTIONS', { min: 1, max: 1_000_000, fallback: 10_000 }),
    maxConnectionsPerAddress: read.int('MQTT_MAX_CONNECTIONS_PER_ADDRESS', { min: 1, max: 1_000_000, fallback: 1_000 }),
    maxPendingBytes: read.int('MQTT_MAX_PENDING_MB', { min: 32, max: 65_536, fallback: 64 }) * 1024 * 1024,
    maxFailures: read.int('MQTT_MAX_FAILURES', { min: 1, max: 1_000_000, fallback: 100 }),
    failureWindowSeconds: read.int('MQTT_FAILURE_WINDOW_SECONDS', { min: 1, max: 86_400, fallback: 300 }),
    connectLimitMs: read.int('MQTT_CONNECT_SECONDS', { min: 1, max: 60, fallback: 10 }) * 1_000,
  };
}

/** Serves clients of MQTT 3.1.1 and 5, which publish to sources by their keys (docs/reference/acquisition.md#mqtt). */
export const mqtt = (settings: MqttSettings, deps: MqttDeps): Transport => ({
  name: 'Mqtt',
  async open() {
    const { namespace, now, log, store, write, wake, pushSources, fileSettings, historic, replicas, memory } = deps;
    const refusals = new Refusals({ store, log, now });
    const failures = new FailedIdents(settings, now);
    const find = (transport: 'Mqtt', key: string) => pushSources.find(transport, key);
    const server = new MqttServer({
      takeOvers: new TakeOvers({ replicas, now }),
      authenticator: new Authenticator({ find, failures, refusals, log }),
      taker: new MessageTaker({ store, wake, now, write, historic, fileSettings, refusals, memory }),
      admission: new Admission(settings),
      refusals,
      namespace,
      refusalMs: REFUSAL_MS,
      connectLimitMs: settings.connectLimitMs,
      log,
      now,
    });
    const ports = await server.open(await listenersOf(settings)).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    return { ports, close: () => server.close() };
  },
});
