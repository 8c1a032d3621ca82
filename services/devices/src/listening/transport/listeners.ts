import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { EnvReader } from '@catchment/config';
import { type ListenerName, listenerRow } from '@catchment/contracts/transports';
import { gauge, type Logger } from '@catchment/telemetry';
import type { Admission } from '../domain/admission.ts';

/** PEM. */
export type TlsPair = { readonly cert: Buffer; readonly key: Buffer };
/** Both, or neither. */
export type TlsFiles = { readonly tlsCertFile: string | undefined; readonly tlsKeyFile: string | undefined };

export type Listener = {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Present = TLS only. */
  readonly tls?: TlsPair;
};

type ListenDeps = {
  /** Connections count from their first byte to their end, also before they have agreed on TLS. */
  readonly admission: Admission;
  readonly log: Logger;
  /** Name in log lines, such as "MQTT". */
  readonly what: string;
  /** A client gets this text, without TLS, when there are too many; left out: nothing. */
  readonly tooMany?: string;
  /** Clients that have sent all may end their side before they have their answers; the connection ends its own side. */
  readonly answersAfterEnd?: boolean;
  /** The time to agree on TLS; 10 s by default. */
  readonly handshakeMs?: number;
};

export type Listening = {
  readonly port: number;
  /** No new connections. */
  refuse(): void;
  /** Refuses new connections and ends the others. */
  close(): Promise<void>;
};

const connections = gauge({
  name: 'catchment_connections',
  help: 'Open connections of devices and clients, by protocol: modem, tcpcallback, mqtt, ftp, sftp, smtp …',
  labels: ['protocol'],
});
/** The protocol Scout is named after a series of modems. */
const protocolOf = (what: string): string => (what === 'Scout' ? 'modem' : what.toLowerCase());

const KEEP_ALIVE_MS = 60_000;
const TLS_HANDSHAKE_MS = 10_000;
/** This many connections beyond the admitted clients get a refusal; all others are not accepted at all. */
const REFUSED_CONNECTIONS = 16;

/** Accepts connections within the limits of all and of one address. */
export async function listenOn(
  { host, port, tls }: Listener,
  deps: ListenDeps,
  serve: (socket: Socket) => void,
): Promise<Listening> {
  const { admission, log, what, tooMany = '' } = deps;
  const { answersAfterEnd: allowHalfOpen = false, handshakeMs: handshakeTimeout = TLS_HANDSHAKE_MS } = deps;
  const sockets = new Set<Socket>();
  const protocol = protocolOf(what);
  connections.add({ protocol }, 0);
  const accept = (socket: Socket) => {
    // An early reset would end the process if nothing listened.
    socket.on('error', () => {});
    serve(socket);
  };
  // It never listens by itself: connections are counted before they agree on anything.
  const secure = tls && createTlsServer({ ...tls, handshakeTimeout, allowHalfOpen }, accept);
  secure?.on('tlsClientError', (err, socket) => {
    log.debug({ err }, `TLS handshake of ${what} failed`);
    // Node reports a handshake that takes too long, and leaves its connection open.
    socket.destroy();
  });
  const server = createServer({ allowHalfOpen }, (socket) => {
    socket.on('error', () => {});
    const address = socket.remoteAddress ?? '';
    if (!admission.enter(address)) {
      log.warn({ address }, `${what} connection refused: too many`);
      if (!tls) socket.end(tooMany);
      socket.destroySoon();
      return;
    }
    sockets.add(socket);
    connections.add({ protocol }, 1);
    socket.once('close', () => {
      connections.add({ protocol }, -1);
      sockets.delete(socket);
      admission.leave(address);
    });
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    if (secure) secure.emit('connection', socket);
    else accept(socket);
  });
  server.maxConnections = admission.maxConnections + REFUSED_CONNECTIONS;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  // No file descriptor is left, say: without a listener it would end the process.
  server.on('error', (err) => log.error({ err }, `${what} connection could not be accepted`));
  const bound = (server.address() as AddressInfo).port;
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  return {
    port: bound,
    refuse: () => void server.close(),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** @throws Error when a file cannot be read */
export async function readTlsPair({ tlsCertFile, tlsKeyFile }: TlsFiles): Promise<TlsPair | undefined> {
  if (!tlsCertFile || !tlsKeyFile) return undefined;
  const [cert, key] = await Promise.all([readFile(tlsCertFile), readFile(tlsKeyFile)]);
  return { cert, key };
}

/** A listener accepts connections at this address with this certificate. */
export type ListenerSettings = TlsFiles & {
  readonly host: string;
  /** Undefined: it has no plain port. */
  readonly port: number | undefined;
  /** Undefined: it has no port with TLS. */
  readonly tlsPort: number | undefined;
};

/** Reads the settings of a listener of the table. */
export function listenerSettings(read: EnvReader, name: ListenerName): ListenerSettings {
  const { hostSetting, portSetting, port, tls, certificate, isUsual } = listenerRow(name);
  const tlsPort =
    tls &&
    (isUsual ? read.int(tls.setting, { min: 0, max: 65_535, fallback: tls.port }) : read.optionalPort(tls.setting));
  const files = certificate === undefined ? NO_FILES : tlsFiles(read, certificate);
  if (tls && !isUsual) {
    const [hasPort, hasFiles] = [tlsPort !== undefined, files.tlsCertFile !== undefined];
    const names = [`${certificate}_TLS_CERT_FILE`, `${certificate}_TLS_KEY_FILE`];
    read.check([tls.setting, ...names], !hasPort || hasFiles, `${tls.setting} needs ${names.join(' and ')}`);
  }
  return {
    host: read.text(hostSetting, { fallback: '127.0.0.1' }),
    port: isUsual ? read.port(portSetting, port) : read.optionalPort(portSetting),
    tlsPort,
    ...files,
  };
}

const NO_FILES: TlsFiles = { tlsCertFile: undefined, tlsKeyFile: undefined };

function tlsFiles(read: EnvReader, certificate: string): TlsFiles {
  const [cert, key] = [`${certificate}_TLS_CERT_FILE`, `${certificate}_TLS_KEY_FILE`] as const;
  const [tlsCertFile, tlsKeyFile] = [read.optionalText(cert), read.optionalText(key)];
  const isWhole = (tlsCertFile === undefined) === (tlsKeyFile === undefined);
  read.check([cert, key], isWhole, `${cert} and ${key} must be given together`);
  return { tlsCertFile, tlsKeyFile };
}

/** Where clients connect: plain unless there is no port, then with TLS where there are files. @throws Error when one cannot be read */
export async function listenersOf(settings: ListenerSettings): Promise<Listener[]> {
  const { host, port, tlsPort } = settings;
  const tls = await readTlsPair(settings);
  return [
    ...(port === undefined ? [] : [{ host, port }]),
    ...(tls && tlsPort !== undefined ? [{ host, port: tlsPort, tls }] : []),
  ];
}
