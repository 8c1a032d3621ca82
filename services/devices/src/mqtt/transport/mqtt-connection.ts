import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admission } from '../../listening/index.ts';
import { shownName } from '../../sources/index.ts';
import { Ending, REASON, type ReasonCode } from '../domain/reason.ts';
import { destinationOf, isCommandFilter } from '../domain/topic.ts';
import type { TakeOvers } from '../usecases/take-overs.ts';
import { ClientKeys, type ClientKeysDeps } from './client-keys.ts';
import { Delivery, type DeliveryDeps } from './delivery.ts';
import { HeldBytes } from './held-bytes.ts';
import { IN_FLIGHT, MessagesInWork } from './messages-in-work.ts';
import { type Connect, type Packet, PacketReader, type Publish, type Subscribe } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

export type MqttDeps = ClientKeysDeps &
  DeliveryDeps & {
    readonly admission: Admission;
    readonly takeOvers: TakeOvers;
    readonly namespace: string;
    /** Time for the CONNECT. */
    readonly connectLimitMs: number;
  };

/** First byte of a CONNECT. */
const CONNECT = 0x10;
/** Largest payload of a message. */
const MESSAGE_MAX_BYTES = 10 * 1024 * 1024;
/** Its topic, its properties and its header come with it. */
const PACKET_MAX_BYTES = MESSAGE_MAX_BYTES + 128 * 1024;
const CONNECT_MAX_BYTES = 16 * 1024;
const CLIENT_ID_CHARACTERS = 256;
const TOPIC_ALIASES = 16;
const SUBSCRIPTIONS = 16;
/** A message must be there in this time after its first byte. */
const MESSAGE_LIMIT_MS = 15 * 60_000;
const SILENCE_SECONDS = 2 * 3_600;
const DRAIN_MS = 10_000;
const CLOSING_MS = 1_000;

/** Serves one client from its first byte to its last: it publishes, and everything else is refused. */
export class MqttConnection {
  readonly #socket: Socket;
  readonly #deps: MqttDeps;
  readonly #reader = new PacketReader(CONNECT_MAX_BYTES);
  readonly #writer: PacketWriter;
  readonly #address: string;
  readonly #keys: ClientKeys;
  readonly #bytes: HeldBytes;
  readonly #messages: MessagesInWork;
  readonly #delivery: Delivery;
  /** The CONNECT is accepted. */
  #connect: Connect | undefined;
  readonly #aliases = new Map<number, string>();
  #packetSinceMs = 0;
  #idleMs = SILENCE_SECONDS * 1_000;
  #timer: NodeJS.Timeout | undefined;
  /** Takes this connection out of the take-overs. */
  #leave: (() => void) | undefined;
  #isClosing = false;
  /** The client said goodbye, or we did: its will is not delivered. */
  #isGoodbye = false;
  /** The connection is over: nobody waits for what could not be stored yet. */
  readonly #over = new AbortController();

  constructor(socket: Socket, deps: MqttDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#writer = new PacketWriter(socket);
    this.#address = socket.remoteAddress ?? '';
    this.#keys = new ClientKeys(deps, this.#address);
    this.#bytes = new HeldBytes(
      deps.admission,
      () => this.#reader.frames.pendingBytes,
      () => socket.destroyed,
    );
    const client = { keys: this.#keys, name: () => this.#clientName, over: this.#over.signal };
    this.#delivery = new Delivery(deps, client, this.#writer);
    this.#messages = new MessagesInWork(
      this.#bytes,
      (error) => this.#unanswered(error),
      () => socket.destroyed,
    );
  }

  /** Resolves when the connection has ended and nothing of it is in work. Never rejects. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    const address = this.#address;
    // The close is heard also while nothing is read, since too many messages wait.
    this.#socket.once('close', () => this.#over.abort());
    this.#expect(this.#deps.connectLimitMs);
    try {
      // The end of the loop must not throw away a last answer: `end` ends the socket.
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        clearTimeout(this.#connect ? this.#timer : undefined);
        await this.#read(chunk as Buffer);
        if (this.#isClosing) break;
        if (this.#connect) this.#expect(this.#idleMs);
      }
    } catch (error) {
      if (error instanceof Ending) this.end(error.code, error.message);
      else log.debug({ err: error, address }, 'MQTT connection broke');
    }
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#endSocket();
    this.#over.abort();
    this.#deliverWill();
    await this.#messages.end();
    this.#bytes.release();
  }

  /** Answers what is in work, and ends the connection. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#isGoodbye = true;
    const late = new AbortController();
    const limit = sleep(DRAIN_MS, undefined, { signal: late.signal, ref: false }).catch(() => {});
    await Promise.race([this.#messages.all, limit]);
    late.abort();
    this.end(REASON.shuttingDown, 'the service restarts: connect again');
  }

  /** Sends the client the reason, and ends the connection. */
  end(code: ReasonCode, message: string): void {
    if (this.#socket.writableEnded || this.#socket.destroyed) return;
    if (code === REASON.takenOver || code === REASON.shuttingDown) this.#isGoodbye = true;
    const level = code === REASON.shuttingDown ? 'debug' : 'info';
    this.#deps.log[level](
      { address: this.#address, client: this.#clientName, code, reason: message },
      'MQTT connection ended',
    );
    if (this.#connect) this.#writer.disconnect(code, message);
    else this.#writer.refuseConnection(code, message);
    this.#isClosing = true;
    this.#endSocket();
  }

  get #clientName(): string | undefined {
    return this.#connect && shownName(this.#connect.clientId);
  }

  async #read(chunk: Buffer): Promise<void> {
    // Other protocols are recognized at once.
    if (!this.#connect && this.#reader.frames.pendingBytes === 0 && chunk[0] !== CONNECT)
      throw new Ending(REASON.protocolError, 'the first packet must be a CONNECT');
    for (const packet of this.#reader.push(chunk)) {
      if (this.#isClosing) return;
      await this.#handle(packet);
      this.#packetSinceMs = this.#deps.now();
    }
    const { pendingBytes } = this.#reader.frames;
    if (pendingBytes > 0 && this.#bytes.isNothing) this.#packetSinceMs = this.#deps.now();
    await this.#bytes.hold();
    if (pendingBytes > 0 && this.#deps.now() - this.#packetSinceMs > MESSAGE_LIMIT_MS)
      throw new Ending(REASON.rate, 'a message must arrive within 15 minutes');
  }

  async #handle(packet: Packet): Promise<void> {
    if (!this.#connect) {
      if (packet.cmd !== 'connect') throw new Ending(REASON.protocolError, 'the first packet must be a CONNECT');
      return this.#accept(packet);
    }
    switch (packet.cmd) {
      case 'publish':
        return this.#publish(packet);
      case 'pubrel': {
        const { messageId = 0 } = packet;
        const isKnown = this.#messages.received.delete(messageId);
        const unknown = { code: REASON.unknownPacketId, message: 'no such message' };
        return this.#writer.settle('pubcomp', messageId, isKnown ? undefined : unknown);
      }
      case 'pingreq':
        return this.#writer.send({ cmd: 'pingresp' });
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe': {
        const granted = packet.unsubscriptions.map((filter) => (this.#delivery.filters.delete(filter) ? 0 : 0x11));
        const { messageId } = packet;
        return this.#writer.send({ cmd: 'unsuback', ...(messageId && { messageId }), granted });
      }
      case 'disconnect':
        // 0x04: disconnect with will message.
        this.#isGoodbye = packet.reasonCode !== 4;
        this.#isClosing = true;
        return;
      case 'puback':
      case 'pubrec':
      case 'pubcomp':
        return;
      default:
        throw new Ending(REASON.protocolError, `a client may send no ${packet.cmd.toUpperCase()} here`);
    }
  }

  async #accept(packet: Connect): Promise<void> {
    const { protocolVersion = 4, clean, username, password, properties, will } = packet;
    this.#writer.speak(protocolVersion, properties?.requestProblemInformation === false);
    this.#reader.speak(protocolVersion);
    let { clientId } = packet;
    if (properties?.authenticationMethod !== undefined)
      throw new Ending(REASON.authMethod, 'there is no extended authentication: send user name and password');
    if (clientId.length > CLIENT_ID_CHARACTERS || (clientId === '' && protocolVersion < 5 && !clean))
      throw new Ending(REASON.clientId, `the client id must have 1 to ${CLIENT_ID_CHARACTERS} characters`);
    if (will && !destinationOf(will.topic, this.#deps.namespace))
      throw new Ending(REASON.topicName, 'the topic of the will is none');
    const assigned = clientId === '' ? randomUUID() : undefined;
    clientId ||= assigned ?? '';
    await this.#keys.identify(username, password);
    if (this.#isClosing) throw new Ending(REASON.unavailable, 'the service restarts: connect again');
    this.#connect = { ...packet, clientId };
    this.#reader.frames.maxBytes = PACKET_MAX_BYTES;
    clearTimeout(this.#timer);
    const keepAlive = Math.min(packet.keepalive || SILENCE_SECONDS, SILENCE_SECONDS);
    this.#idleMs = Math.min(keepAlive * 1.5, SILENCE_SECONDS) * 1_000;
    const { login } = this.#keys;
    if (login)
      this.#leave = this.#deps.takeOvers.enter(login.key, clientId, () =>
        this.end(REASON.takenOver, 'another connection has the same client id'),
      );
    if (protocolVersion < 5) return this.#writer.send({ cmd: 'connack', sessionPresent: false, returnCode: 0 });
    this.#writer.send({
      cmd: 'connack',
      sessionPresent: false,
      reasonCode: 0,
      properties: {
        receiveMaximum: IN_FLIGHT,
        maximumPacketSize: PACKET_MAX_BYTES,
        topicAliasMaximum: TOPIC_ALIASES,
        wildcardSubscriptionAvailable: false,
        subscriptionIdentifiersAvailable: false,
        sharedSubscriptionAvailable: false,
        ...(properties?.sessionExpiryInterval ? { sessionExpiryInterval: 0 } : {}),
        ...(keepAlive !== packet.keepalive && { serverKeepAlive: keepAlive }),
        ...(assigned !== undefined && { assignedClientIdentifier: assigned }),
      },
    });
  }

  /** Commands of Sparkplug are granted to the client whose session it is; nothing else is ever sent to clients. */
  #subscribe({ messageId = 0, subscriptions }: Subscribe): void {
    const refused = this.#writer.isFive ? REASON.notAuthorized : 0x80;
    const granted = subscriptions.map(({ topic }) => {
      if (!this.#keys.login || !isCommandFilter(topic) || this.#delivery.filters.size >= SUBSCRIPTIONS) return refused;
      this.#delivery.filters.add(topic);
      return 0;
    });
    this.#writer.send({ cmd: 'suback', messageId, granted });
  }

  async #publish(packet: Publish): Promise<void> {
    const { qos, messageId = 0 } = packet;
    const payload = packet.payload as Buffer;
    const topic = this.#topicOf(packet);
    const destination = destinationOf(topic, this.#deps.namespace);
    if (!destination) throw new Ending(REASON.topicName, 'the topic is empty, too long, or has wildcards');
    if (payload.length > MESSAGE_MAX_BYTES)
      throw new Ending(REASON.tooLarge, `a message may have at most ${MESSAGE_MAX_BYTES} bytes`);
    if (qos > 0 && messageId < 1) throw new Ending(REASON.malformed, 'a message of QoS 1 or 2 must have a packet id');
    if (qos === 2 && this.#messages.received.has(messageId)) return this.#writer.settle('pubrec', messageId);
    await this.#messages.room(this.#writer.isFive);
    if (qos === 2) this.#messages.received.add(messageId);
    const answer = qos > 0 ? this.#messages.answer() : undefined;
    const cmd = qos === 2 ? 'pubrec' : 'puback';
    this.#messages.start(payload.length, async () => {
      const refusal = await this.#delivery.take(destination, payload);
      if (refusal && qos === 2) this.#messages.received.delete(messageId);
      answer?.(() => this.#writer.settle(cmd, messageId, refusal));
    });
    if (this.#bytes.inWork > 0) await this.#bytes.hold();
  }

  #topicOf({ topic, properties }: Publish): string {
    const alias = properties?.topicAlias;
    if (alias === undefined) return topic;
    if (alias < 1 || alias > TOPIC_ALIASES) throw new Ending(REASON.topicAlias, `aliases are 1 to ${TOPIC_ALIASES}`);
    if (topic !== '') this.#aliases.set(alias, topic);
    const known = this.#aliases.get(alias);
    if (known === undefined) throw new Ending(REASON.protocolError, `alias ${alias} has no topic`);
    return known;
  }

  /** The client keeps a message without an answer, and sends it again. */
  #unanswered(error: unknown): void {
    if (error instanceof Ending) this.end(error.code, error.message);
    else this.end(REASON.busy, 'the message could not be stored yet: send it again');
  }

  /** Delivers the last message of a client that has gone without a word. */
  #deliverWill(): void {
    const will = this.#connect?.will;
    const destination = will && destinationOf(will.topic, this.#deps.namespace);
    if (this.#isGoodbye || !will || !destination) return;
    this.#messages.start(will.payload.length, async () => {
      await this.#delivery.take(destination, Buffer.from(will.payload));
    });
  }

  /** Something must come within this time. */
  #expect(limitMs: number): void {
    clearTimeout(this.#timer);
    const message = this.#connect ? 'nothing came in one and a half of the keep-alive' : 'no CONNECT came in time';
    this.#timer = setTimeout(() => this.end(REASON.keepAlive, message), limitMs);
  }

  #endSocket(): void {
    if (this.#socket.destroyed) return;
    if (!this.#socket.writableEnded) this.#socket.end();
    // A peer that never closes its side does not keep the connection.
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }
}
