import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { Admission } from '../../domain/admission.ts';
import { shownName } from '../../domain/source-file.ts';
import { counted } from '../../usecases/acquisition-count.ts';
import type { PushSource } from '../../usecases/ports.ts';
import { Ending, REASON, type ReasonCode } from '../domain/reason.ts';
import { rebirthCommand, SparkplugSession } from '../domain/sparkplug-session.ts';
import { type Destination, destinationOf, isCommandFilter } from '../domain/topic.ts';
import type { Door, Login } from '../usecases/door.ts';
import { isRefused, type MessageTaker } from '../usecases/message-taker.ts';
import type { Refusals } from '../usecases/refusals.ts';
import type { TakeOvers } from '../usecases/take-overs.ts';
import { type Connect, type Packet, PacketReader, type Publish, type Subscribe } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

export type MqttDeps = {
  readonly door: Door;
  readonly taker: MessageTaker;
  readonly refusals: Refusals;
  readonly admission: Admission;
  readonly takeOvers: TakeOvers;
  readonly namespace: string;
  /** Time for the CONNECT. */
  readonly connectLimitMs: number;
  /** No refusal of a key or password comes sooner. */
  readonly refusalMs: number;
  readonly log: Logger;
  readonly now: () => number;
};

/** First byte of a CONNECT. */
const CONNECT = 0x10;
/** Of a message. */
export const MESSAGE_MAX_BYTES = 10 * 1024 * 1024;
/** Its topic, its properties and its header beside it. */
const PACKET_MAX_BYTES = MESSAGE_MAX_BYTES + 128 * 1024;
const CONNECT_MAX_BYTES = 16 * 1024;
const CLIENT_ID_CHARACTERS = 256;
/** Messages of a connection that are not answered. */
const IN_FLIGHT = 100;
const TOPIC_ALIASES = 16;
const SUBSCRIPTIONS = 16;
/** A message must be there in this time after its first byte. */
const MESSAGE_LIMIT_MS = 15 * 60_000;
const SILENCE_SECONDS = 2 * 3_600;
/** How often a connection that waits for memory looks again, and how long at most. */
const ROOM_EVERY_MS = 50;
const ROOM_LIMIT_MS = 60_000;
/** Topics with keys that are nobody's, then the connection ends. */
const BAD_TOPICS = 10;
/** Of sources that a connection sends for; the others are looked up by the longer way. */
const KEYS = 1_000;
const DRAIN_MS = 10_000;
const CLOSING_MS = 1_000;
const REBIRTH_EVERY_MS = 30_000;

/** An answer that waits for its turn: PUBACK and PUBREC come in the order of the messages. */
type Answer = { send: (() => void) | undefined };

/** One client from its first byte to its last: it publishes, and everything else is refused. */
export class MqttConnection {
  readonly #socket: Socket;
  readonly #deps: MqttDeps;
  readonly #reader = new PacketReader(CONNECT_MAX_BYTES);
  readonly #writer: PacketWriter;
  readonly #address: string;
  /** The CONNECT, once it is accepted. */
  #connect: Connect | undefined;
  #login: Login | undefined;
  /** Of a client whose user name is no key: it counts for the keys in its topics. */
  #password: Buffer | undefined;
  readonly #sparkplug = new SparkplugSession();
  readonly #aliases = new Map<number, string>();
  readonly #filters = new Set<string>();
  #lastRebirthMs = Number.NEGATIVE_INFINITY;
  /** Packet ids of QoS 2 between PUBREC and PUBCOMP. */
  readonly #received = new Set<number>();
  readonly #answers: Answer[] = [];
  readonly #work = new Set<Promise<void>>();
  /** Keys of topics that were right. */
  readonly #entered = new Set<string>();
  #badTopics = 0;
  #heldBytes = 0;
  #workBytes = 0;
  #packetSinceMs = 0;
  #idleMs = SILENCE_SECONDS * 1_000;
  #timer: NodeJS.Timeout | undefined;
  /** Of the take-overs. */
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
  }

  /** Resolves when the connection has ended and nothing of it is in work. Never rejects. */
  async run(): Promise<void> {
    const { log, admission } = this.#deps;
    const address = this.#address;
    // Also while nothing is read, since too many messages wait.
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
    while (this.#work.size > 0) await Promise.all(this.#work);
    admission.hold(this.#heldBytes, 0);
  }

  /** Answers what is in work, and ends the connection. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#isGoodbye = true;
    const late = new AbortController();
    const limit = sleep(DRAIN_MS, undefined, { signal: late.signal, ref: false }).catch(() => {});
    await Promise.race([Promise.all(this.#work), limit]);
    late.abort();
    this.end(REASON.shuttingDown, 'the service restarts: connect again');
  }

  /** Tells the client why, and ends the connection. */
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
    // Other protocols are told apart at once.
    if (!this.#connect && this.#reader.frames.pendingBytes === 0 && chunk[0] !== CONNECT)
      throw new Ending(REASON.protocolError, 'the first packet must be a CONNECT');
    for (const packet of this.#reader.push(chunk)) {
      if (this.#isClosing) return;
      await this.#handle(packet);
      this.#packetSinceMs = this.#deps.now();
    }
    const { pendingBytes } = this.#reader.frames;
    if (pendingBytes > 0 && this.#heldBytes === 0) this.#packetSinceMs = this.#deps.now();
    await this.#holdBytes();
    if (pendingBytes > 0 && this.#deps.now() - this.#packetSinceMs > MESSAGE_LIMIT_MS)
      throw new Ending(REASON.rate, 'a message must arrive within 15 minutes');
  }

  /** Waits until there is memory for what the connection holds; where too many wait already, it ends. */
  async #holdBytes(): Promise<void> {
    if (this.#isHeld()) return;
    const endWaiting = this.#deps.admission.wait();
    const endMs = performance.now() + (endWaiting ? ROOM_LIMIT_MS : 0);
    try {
      while (!this.#isHeld()) {
        if (performance.now() > endMs || this.#socket.destroyed)
          throw new Ending(REASON.quota, 'too much unfinished data of all clients: try again later');
        await sleep(ROOM_EVERY_MS);
      }
    } finally {
      endWaiting?.();
    }
  }

  #isHeld(): boolean {
    const bytes = this.#reader.frames.pendingBytes + this.#workBytes;
    if (!this.#deps.admission.hold(this.#heldBytes, bytes)) return false;
    this.#heldBytes = bytes;
    return true;
  }

  /** Holds no more than what is still there. */
  #letGo(): void {
    const bytes = this.#reader.frames.pendingBytes + this.#workBytes;
    if (bytes < this.#heldBytes && this.#deps.admission.hold(this.#heldBytes, bytes)) this.#heldBytes = bytes;
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
        const isKnown = this.#received.delete(messageId);
        const unknown = { code: REASON.unknownPacketId, message: 'no such message' };
        return this.#writer.settle('pubcomp', messageId, isKnown ? undefined : unknown);
      }
      case 'pingreq':
        return this.#writer.send({ cmd: 'pingresp' });
      case 'subscribe':
        return this.#subscribe(packet);
      case 'unsubscribe': {
        const granted = packet.unsubscriptions.map((filter) => (this.#filters.delete(filter) ? 0 : 0x11));
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
    await this.#identify(username, password);
    if (this.#isClosing) throw new Ending(REASON.unavailable, 'the service restarts: connect again');
    this.#connect = { ...packet, clientId };
    this.#reader.frames.maxBytes = PACKET_MAX_BYTES;
    clearTimeout(this.#timer);
    const keepAlive = Math.min(packet.keepalive || SILENCE_SECONDS, SILENCE_SECONDS);
    this.#idleMs = Math.min(keepAlive * 1.5, SILENCE_SECONDS) * 1_000;
    if (this.#login)
      this.#leave = this.#deps.takeOvers.enter(this.#login.key, clientId, () =>
        this.end(REASON.takenOver, 'another connection has the same client id'),
      );
    if (protocolVersion < 5) return this.#writer.send({ cmd: 'connack', sessionPresent: false, returnCode: 0 });
    this.#writer.send({
      ...{ cmd: 'connack', sessionPresent: false, reasonCode: 0 },
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

  /** By the user name, or by the password; who has no key here has one in each topic. */
  async #identify(username: string | undefined, password: Buffer | undefined): Promise<void> {
    const { door } = this.#deps;
    const isKey = (text: string) =>
      door.isKey(text).catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'MQTT client could not be checked');
        throw new Ending(REASON.unavailable, 'try again later');
      });
    if (username && (await isKey(username))) return this.#logIn({ key: username, password, address: this.#address });
    this.#password = password;
    const key = password?.toString() ?? '';
    if (key === '' || !(await isKey(key))) return;
    try {
      await this.#logIn({ key, password: undefined, address: this.#address });
    } catch (error) {
      // A password that only looks like a key, for a key in a topic.
      if (!(error instanceof Ending) || error.code !== REASON.credentials) throw error;
    }
  }

  async #logIn(login: Login): Promise<void> {
    // Every refusal takes the same time.
    const soonest = sleep(this.#deps.refusalMs, undefined, { ref: false });
    try {
      await this.#deps.door.enter(login);
    } catch (error) {
      if (!(error instanceof Ending)) {
        this.#deps.log.warn({ err: error }, 'MQTT client could not be checked');
        throw new Ending(REASON.unavailable, 'try again later');
      }
      await soonest;
      throw error;
    }
    this.#login = login;
  }

  /** Commands of Sparkplug are granted to the client whose session it is; nothing else is ever sent to clients. */
  #subscribe({ messageId = 0, subscriptions }: Subscribe): void {
    const refused = this.#writer.isFive ? REASON.notAuthorized : 0x80;
    const granted = subscriptions.map(({ topic }) => {
      if (!this.#login || !isCommandFilter(topic) || this.#filters.size >= SUBSCRIPTIONS) return refused;
      this.#filters.add(topic);
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
    if (qos === 2 && this.#received.has(messageId)) return this.#writer.settle('pubrec', messageId);
    await this.#room();
    if (qos === 2) this.#received.add(messageId);
    const answer: Answer = { send: undefined };
    if (qos > 0) this.#answers.push(answer);
    const cmd = qos === 2 ? 'pubrec' : 'puback';
    this.#start(payload.length, async () => {
      const refusal = await this.#take(destination, payload);
      if (refusal && qos === 2) this.#received.delete(messageId);
      answer.send = () => this.#writer.settle(cmd, messageId, refusal);
      this.#answer();
    });
    if (this.#workBytes > 0) await this.#holdBytes();
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

  /** Waits until a message may begin. Clients of MQTT 5 know how many may be under way. */
  async #room(): Promise<void> {
    if (this.#writer.isFive && this.#answers.length >= IN_FLIGHT)
      throw new Ending(REASON.receiveMaximum, `at most ${IN_FLIGHT} messages may be without an answer`);
    if (this.#received.size >= IN_FLIGHT)
      throw new Ending(REASON.receiveMaximum, `at most ${IN_FLIGHT} messages may be without PUBREL`);
    while (this.#work.size >= IN_FLIGHT) await Promise.race(this.#work);
  }

  #start(bytes: number, work: () => Promise<void>): void {
    this.#workBytes += bytes;
    const started = work()
      .catch((error: unknown) => {
        // Without an answer the client keeps the message, and sends it again.
        if (error instanceof Ending) this.end(error.code, error.message);
        else this.end(REASON.busy, 'the message could not be stored yet: send it again');
      })
      .finally(() => {
        this.#work.delete(started);
        this.#workBytes -= bytes;
        this.#letGo();
      });
    this.#work.add(started);
  }

  #answer(): void {
    while (this.#answers[0]?.send && !this.#socket.destroyed) this.#answers.shift()?.send?.();
  }

  /**
   * Stores a message. @returns why it can never be stored
   * @throws Ending, DomainError: it is kept by the client
   */
  async #take(destination: Destination, payload: Buffer): Promise<{ code: ReasonCode; message: string } | undefined> {
    const { taker, log } = this.#deps;
    const keep = this.#over.signal;
    if (destination.kind === 'broker') return undefined;
    const found = await this.#sourceOf(destination);
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
        if (problem) this.#deps.refusals.tell(source, `Sparkplug message of ${this.#clientName}: ${problem}`);
      }
      return undefined;
    } catch (error) {
      if (!isRefused(error)) {
        log.warn({ err: error, sourceId: source.nodeId }, 'MQTT message not stored');
        throw error;
      }
      this.#deps.refusals.tell(source, `Refused message of MQTT client ${this.#clientName}: ${error.message}`);
      return { code: refusalCode(error), message: error.message };
    }
  }

  async #sourceOf(
    destination: Exclude<Destination, { kind: 'broker' }>,
  ): Promise<PushSource | { code: ReasonCode; message: string }> {
    const { door, log } = this.#deps;
    const login = this.#login;
    try {
      if (destination.kind !== 'key' || destination.key === login?.key) {
        if (login) return await door.find(login);
        return { code: REASON.notAuthorized, message: 'without a key as user name, the topic must have one' };
      }
      const other = { key: destination.key, password: this.#password, address: this.#address };
      if (this.#entered.has(other.key)) return await door.find(other);
      const found = await door.enter(other);
      if (this.#entered.size < KEYS) this.#entered.add(other.key);
      return found;
    } catch (error) {
      if (!(error instanceof Ending)) {
        log.warn({ err: toDomainError(error) }, 'MQTT message could not be checked');
        throw error;
      }
      if (error.code === REASON.credentials) this.#badTopics += 1;
      const isOwn = destination.kind !== 'key' || destination.key === login?.key;
      // MQTT 3.1.1 has no answer that refuses, and a client whose own source is disabled keeps what it has.
      if (isOwn || !this.#writer.isFive || this.#badTopics >= BAD_TOPICS) throw error;
      const { message } = error;
      return { code: error.code === REASON.unavailable ? REASON.implementation : REASON.notAuthorized, message };
    }
  }

  #askForBirth({ group, node }: { group: string; node: string }): void {
    const nowMs = this.#deps.now();
    const topic = `spBv1.0/${group}/NCMD/${node}`;
    const isWanted = [`${topic}`, `${topic}/#`].some((filter) => this.#filters.has(filter));
    if (!isWanted || nowMs - this.#lastRebirthMs < REBIRTH_EVERY_MS) return;
    this.#lastRebirthMs = nowMs;
    const payload = Buffer.from(rebirthCommand(nowMs));
    this.#writer.send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
  }

  /** The last message of a client that has gone without a word. */
  #deliverWill(): void {
    const will = this.#connect?.will;
    const destination = will && destinationOf(will.topic, this.#deps.namespace);
    if (this.#isGoodbye || !will || !destination) return;
    this.#start(will.payload.length, async () => {
      await this.#take(destination, Buffer.from(will.payload));
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

/** Of PUBACK and PUBREC, which know no «too large»: clients end the connection at a code that they may not have, and send again for ever. */
const refusalCode = ({ kind }: DomainError): ReasonCode =>
  kind === 'internal' || kind === 'too_large' ? REASON.implementation : REASON.payload;
