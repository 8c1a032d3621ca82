import { SparkplugPayload } from '@catchment/contracts/sparkplug';
import type { DomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { counted } from '../../sources/index.ts';
import { REASON, type ReasonCode } from '../domain/reason.ts';
import { rebirthCommand, SparkplugSession } from '../domain/sparkplug-session.ts';
import type { Destination } from '../domain/topic.ts';
import { isRefused, type MessageTaker } from '../usecases/message-taker.ts';
import type { Refusals } from '../usecases/refusals.ts';
import type { ClientKeys, Refusal } from './client-keys.ts';
import type { PacketWriter } from './packet-writer.ts';

const REBIRTH_EVERY_MS = 30_000;

export type DeliveryDeps = {
  readonly taker: MessageTaker;
  readonly refusals: Refusals;
  readonly log: Logger;
  readonly now: () => number;
};
/** This client sent the messages. */
export type Sender = {
  readonly keys: ClientKeys;
  readonly name: () => string | undefined;
  /** The connection is over: nobody waits for what could not be stored yet. */
  readonly over: AbortSignal;
};

/** Hands the messages of one client to their sources. */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #client: Sender;
  readonly #writer: PacketWriter;
  readonly #sparkplug = new SparkplugSession();
  /** Commands that the client wants. */
  readonly filters = new Set<string>();
  #lastRebirthMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DeliveryDeps, client: Sender, writer: PacketWriter) {
    this.#deps = deps;
    this.#client = client;
    this.#writer = writer;
  }

  /**
   * Stores a message. @returns why it can never be stored
   * @throws Ending, DomainError: it is kept by the client
   */
  async take(destination: Destination, payload: Buffer): Promise<Refusal | undefined> {
    const { taker, log } = this.#deps;
    const keep = this.#client.over;
    if (destination.kind === 'broker') return undefined;
    const found = await this.#client.keys.sourceOf(destination, this.#writer.isFive);
    if ('code' in found) return found;
    const { source } = found;
    try {
      if (payload.length === 0) return undefined;
      if (destination.kind !== 'sparkplug')
        await counted('Mqtt', () => taker.take(source, { name: destination.name, payload, keep }));
      else {
        const message = { session: this.#sparkplug, topic: destination, payload, keep };
        const { problem, needsBirth } = await counted('Mqtt', () => taker.takeSparkplug(source, message));
        if (needsBirth) this.#askForBirth(destination);
        if (problem) this.#deps.refusals.report(source, `Sparkplug message of ${this.#client.name()}: ${problem}`);
      }
      return undefined;
    } catch (error) {
      if (!isRefused(error)) {
        log.warn({ err: error, sourceId: source.nodeId }, 'MQTT message not stored');
        throw error;
      }
      this.#deps.refusals.report(source, `Refused message of MQTT client ${this.#client.name()}: ${error.message}`);
      return { code: refusalCode(error), message: error.message };
    }
  }

  #askForBirth({ group, node }: { group: string; node: string }): void {
    const nowMs = this.#deps.now();
    const topic = `spBv1.0/${group}/NCMD/${node}`;
    const isWanted = [`${topic}`, `${topic}/#`].some((filter) => this.filters.has(filter));
    if (!isWanted || nowMs - this.#lastRebirthMs < REBIRTH_EVERY_MS) return;
    this.#lastRebirthMs = nowMs;
    const payload = Buffer.from(SparkplugPayload.encode(rebirthCommand(nowMs)).finish());
    this.#writer.send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
  }
}

/**
 * PUBACK and PUBREC have no «too large»: clients end the connection at a code that is not allowed there, and send again
 * for ever.
 */
const refusalCode = ({ kind }: DomainError): ReasonCode =>
  kind === 'internal' || kind === 'too_large' ? REASON.implementation : REASON.payload;
