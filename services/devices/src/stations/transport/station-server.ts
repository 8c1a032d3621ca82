import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { Admission, type AdmissionLimits, type Listener, type Listening, listenOn } from '../../listening/index.ts';
import { type StationMessage, type StationReader, StationRefusal } from '../domain/station-message.ts';
import type { Stations } from '../usecases/take-message.ts';

export type StationProtocol = {
  /** Name in events and log lines. */
  readonly name: string;
  readonly sourceClass: string;
  readonly reader: () => StationReader;
};

type StationServerDeps = {
  readonly stations: Stations;
  readonly limits: AdmissionLimits;
  readonly log: Logger;
  /** The first message comes within this time, and a message that has begun is complete within it. */
  readonly messageLimitMs: number;
};

/** The time between two messages. Stations that keep their connection send every hour or more often. */
const IDLE_MS = 2 * 3_600_000;
/** A service that is away is waited for; stations have no acknowledgement, and would send nothing again. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 2_000;
/** One line of the log in this time for refusals of one address. */
const QUIET_MS = 10_000;
const MAX_QUIET = 1_000;

/** Listens for stations of one kind. */
export class StationServer {
  readonly #protocol: StationProtocol;
  readonly #deps: StationServerDeps;
  readonly #admission: Admission;
  readonly #working = new Set<Promise<void>>();
  readonly #listening: Listening[] = [];
  readonly #stopping = new AbortController();
  readonly #quietUntil = new Map<string, number>();

  constructor(protocol: StationProtocol, deps: StationServerDeps) {
    this.#protocol = protocol;
    this.#deps = deps;
    this.#admission = new Admission(deps.limits);
  }

  /** @returns the port */
  async open(listener: Listener): Promise<number> {
    const { name: what } = this.#protocol;
    const deps = { admission: this.#admission, log: this.#deps.log, what };
    const listening = await listenOn(listener, deps, (socket) => {
      const work = this.#run(socket, socket.remoteAddress ?? '').finally(() => {
        socket.destroy();
        this.#working.delete(work);
      });
      this.#working.add(work);
    });
    this.#listening.push(listening);
    return listening.port;
  }

  /** Ends every connection after the message that it works on. */
  async close(): Promise<void> {
    this.#stopping.abort(new DomainError('cancelled', 'STOPPING', 'The process stops'));
    await Promise.all(this.#listening.map((listening) => listening.close()));
    await Promise.all(this.#working);
  }

  /** Never throws. */
  async #run(socket: Socket, address: string): Promise<void> {
    const reader = this.#protocol.reader();
    const state: { source: NodeConfig | undefined; heldBytes: number } = { source: undefined, heldBytes: 0 };
    const timer = new MessageTimer(socket, this.#deps.messageLimitMs);
    try {
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        let wasCompleted = false;
        for (const message of reader.read(bytes)) {
          await timer.paused(() => this.#take(message, state));
          wasCompleted = true;
        }
        const { pendingBytes } = reader;
        if (!this.#admission.hold(state.heldBytes, pendingBytes))
          throw new StationRefusal('too much at once: try again later');
        state.heldBytes = pendingBytes;
        timer.next(pendingBytes > 0, wasCompleted);
      }
      timer.stop();
      for (const message of reader.end()) await this.#take(message, state);
    } catch (error) {
      await this.#refused(
        error,
        timer.isOver ? 'the message was not complete in time' : undefined,
        address,
        state.source ?? (await this.#known(reader.sites)),
      );
    } finally {
      timer.stop();
      this.#admission.hold(state.heldBytes, 0);
    }
  }

  /** Returns the source of a station whose first message is refused. */
  async #known(sites: readonly string[] = []): Promise<NodeConfig | undefined> {
    if (sites.length === 0 || this.#stopping.signal.aborted) return undefined;
    return this.#deps.stations.sourceOf(sites, this.#protocol.sourceClass).catch(() => undefined);
  }

  async #take(message: StationMessage, state: { source: NodeConfig | undefined }): Promise<void> {
    const { stations } = this.#deps;
    const { name, sourceClass } = this.#protocol;
    await this.#patiently(async (signal) => {
      const source = await stations.sourceOf(message.sites, sourceClass);
      state.source = source;
      await stations.take(source, message, name, signal);
    });
  }

  async #patiently(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await work(signal);
      } catch (error) {
        const isAway = error instanceof DomainError && error.kind !== 'internal';
        if (!isAway || performance.now() > endMs || signal.aborted) throw error;
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }

  async #refused(
    error: unknown,
    late: string | undefined,
    address: string,
    source: NodeConfig | undefined,
  ): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { log, stations } = this.#deps;
    const reason = late ?? (error instanceof StationRefusal ? error.message : undefined);
    if (reason === undefined) {
      // It hung up in the middle, or something of ours was away for long.
      const isReset = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isReset)
        log.warn({ err: error, sourceId: source?.nodeId, station: this.#protocol.name }, 'data of a station lost');
      if (!isReset && source) await stations.report(source, 'it could not be stored');
      return;
    }
    this.#report(address, reason);
    if (source) await stations.report(source, reason);
  }

  #report(address: string, reason: string): void {
    const nowMs = performance.now();
    if (nowMs < (this.#quietUntil.get(address) ?? 0)) return;
    if (this.#quietUntil.size >= MAX_QUIET) this.#quietUntil.clear();
    this.#quietUntil.set(address, nowMs + QUIET_MS);
    this.#deps.log.warn({ address, reason, station: this.#protocol.name }, 'station refused');
  }
}

/** Ends the connection of a station that takes too long with a message, however often it sends something. */
class MessageTimer {
  readonly #socket: Socket;
  readonly #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #endMs: number;
  #isIdle = false;
  isOver = false;

  constructor(socket: Socket, limitMs: number) {
    this.#socket = socket;
    this.#limitMs = limitMs;
    this.#endMs = performance.now() + limitMs;
    this.#start();
  }

  /** The clock of the station stands still while we take our time. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    this.stop();
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      this.#endMs += performance.now() - beganMs;
      this.#start();
    }
  }

  /** @param isWithin a message has begun and is not complete */
  next(isWithin: boolean, wasCompleted: boolean): void {
    if (isWithin && !wasCompleted && !this.#isIdle) return;
    this.#isIdle = !isWithin;
    this.#endMs = performance.now() + (isWithin ? this.#limitMs : IDLE_MS);
    this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.stop();
    this.#timer = setTimeout(
      () => {
        this.isOver = true;
        this.#socket.destroy(new StationRefusal('nothing came in time'));
      },
      Math.max(0, this.#endMs - performance.now()),
    );
  }
}
