import type { Socket } from 'node:net';
import { type Listener, type Listening, listenOn } from '../../listening/index.ts';
import { MqttConnection, type MqttDeps } from './mqtt-connection.ts';

/** Accepts clients of MQTT on its listeners. */
export class MqttServer {
  readonly #deps: MqttDeps;
  readonly #connections = new Map<MqttConnection, Promise<void>>();
  readonly #listening: Listening[] = [];

  constructor(deps: MqttDeps) {
    this.#deps = deps;
  }

  /** @returns the ports, in the order of the listeners */
  async open(listeners: readonly Listener[]): Promise<number[]> {
    const { admission, log } = this.#deps;
    // Nobody knows before the first packet which version of CONNACK a client would understand.
    const deps = { admission, log, what: 'MQTT' };
    for (const listener of listeners)
      this.#listening.push(await listenOn(listener, deps, (socket) => this.#accept(socket)));
    return this.#listening.map(({ port }) => port);
  }

  /** Answers every message that is in work, then ends the connections. */
  async close(): Promise<void> {
    for (const listening of this.#listening) listening.refuse();
    await Promise.all([...this.#connections.keys()].map((connection) => connection.drain()));
    await Promise.all(this.#connections.values());
    await Promise.all(this.#listening.map((listening) => listening.close()));
    await this.#deps.refusals.settled();
  }

  #accept(socket: Socket): void {
    const connection = new MqttConnection(socket, this.#deps);
    const running = connection.run().finally(() => this.#connections.delete(connection));
    this.#connections.set(connection, running);
  }
}
