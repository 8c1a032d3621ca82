import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';

/** A service of this process. Its reports are kept apart from those of the others. */
type HostedService = {
  readonly name: string;
  /** The services of this process are counted from 0. */
  readonly slot: number;
};

const hosted = new Map<string, HostedService>();
const storage = new AsyncLocalStorage<HostedService>();

/**
 * Names the services of this process before any of them starts. The first one also has what is reported outside of
 * every service. A name that is known keeps its place.
 */
export function hostServices(names: readonly string[]): void {
  if (hosted.size === 0 && names.length > 0) {
    subscribe('net.server.socket', (message) => keepService((message as { socket: EventEmitter }).socket));
    subscribe('http2.server.stream.created', (message) => keepService((message as { stream: EventEmitter }).stream));
  }
  for (const name of names) if (!hosted.has(name)) hosted.set(name, { name, slot: hosted.size });
}

/**
 * Events of a socket that a server has accepted, and of a stream of HTTP/2 (gRPC), come out of no context at all, as Node makes both before it
 * asks anybody: they get that of the server. Everything else goes along with whoever makes it: other sockets, requests of HTTP/1, timers, workers,
 * child processes.
 */
function keepService(source: EventEmitter): void {
  const service = storage.getStore();
  const { emit } = source;
  if (service) source.emit = (...event) => storage.run(service, () => emit.apply(source, event));
}

/** Runs `work` so that metrics, spans and log records that come of it belong to the service, also those of its timers and sockets. */
export function inService<T>(name: string, work: () => T): T {
  hostServices([name]);
  return storage.run(hostedService(name), work);
}

/** Returns the name of the service that runs; undefined outside of every one. */
export const currentService = (): string | undefined => storage.getStore()?.name;

/** Returns the services of this process, the first one first; none where no process named them, as in tests and commands. */
export const hostedServices = (): readonly HostedService[] => [...hosted.values()];

/** Lists all that report something in this process: its services, or itself where it has none. */
export const reporters = (): readonly { readonly name: string | undefined; readonly slot: number }[] =>
  hosted.size > 0 ? [...hosted.values()] : [{ name: undefined, slot: 0 }];

/** Names who of this process reports what is said by `name`: the service, and the first service for everything else. */
export const reporterOf = (name: string | undefined): string | undefined =>
  name !== undefined && hosted.has(name) ? name : reporters()[0]?.name;

/** Returns where a report belongs now: outside of every service to the first. */
export const currentSlot = (): number => storage.getStore()?.slot ?? 0;

/** @throws Error for a name that is not one of this process */
export function hostedService(name: string): HostedService {
  const found = hosted.get(name);
  if (!found)
    throw new Error(`the service ${name} is none of this process: ${[...hosted.keys()].join(', ') || 'it has none'}`);
  return found;
}

/** `ask` as the service that hands it over, whoever calls it later. */
export function asCurrentService<T>(ask: () => T): () => T {
  const service = storage.getStore();
  return service ? () => storage.run(service, ask) : ask;
}
