import { TransportSettings } from './generated/catchment/nodes/v1/nodes.ts';

type AnyTransport = NonNullable<TransportSettings['of']>;

/** Every transport, as in `transport._class` without the installation's prefix: those of the contract. */
export type TransportName = Capitalize<AnyTransport['$case']>;

/** How data come by a transport. */
type Transport = {
  /** Our part in it: fetch files, hold a session over a connection, or take what is sent. */
  readonly session: 'FILES' | 'PIPE' | 'NONE';
  /** True where we begin the session; otherwise the device or its server does. */
  readonly isAsked: boolean;
  /** What may come by it to the sources of most classes: files, or what loggers and stations say. */
  readonly brings: readonly ('files' | 'readings')[];
};

const FETCHED: Transport = { session: 'FILES', isAsked: true, brings: ['files'] };
const SENT: Transport = { session: 'NONE', isAsked: false, brings: ['files'] };
const CALLS: Transport = { session: 'PIPE', isAsked: false, brings: ['files', 'readings'] };

/** Every transport (docs/reference/acquisition.md#transports), in the order in which people choose. */
export const TRANSPORT_KINDS: Readonly<Record<TransportName, Transport>> = {
  None: { ...SENT, brings: ['files', 'readings'] },
  FtpDownload: FETCHED,
  SftpDownload: FETCHED,
  HttpDownload: FETCHED,
  HttpUpload: SENT,
  LorawanUpload: { ...SENT, brings: [] },
  Email: SENT,
  Sms: SENT,
  Mqtt: SENT,
  FtpUpload: SENT,
  SftpUpload: SENT,
  S3: FETCHED,
  Dropbox: FETCHED,
  TcpClient: { session: 'PIPE', isAsked: true, brings: ['readings'] },
  TcpCallback: CALLS,
  Scout: CALLS,
  TcpServer: { ...SENT, brings: ['readings'] },
  Meshlium: { ...SENT, brings: [] },
};
export const TRANSPORT_NAMES = Object.keys(TRANSPORT_KINDS) as TransportName[];

const isTransport = (name: string): name is TransportName => Object.hasOwn(TRANSPORT_KINDS, name);

/** @param name of a source that may be from another version: an unknown one needs nothing of us */
export const transportKind = (name: string): Transport => (isTransport(name) ? TRANSPORT_KINDS[name] : SENT);

/** Devices, or clients of a transport, connect here. A second port of the same listener has TLS from the first byte. */
export type Listener = {
  /** The names of its settings begin with this: `<setting>_PORT`, `<setting>_TLS_PORT`. */
  readonly setting: string;
  /** `…_HOST` begins with this where listeners share it. */
  readonly host?: string;
  /** `…_TLS_CERT_FILE` and `…_TLS_KEY_FILE` begin with this where listeners share them. */
  readonly certificate?: string;
  /** Clients look for it here. */
  readonly port: number;
  /** It listens here in a container and in a trial, which have no right to ports below 1024. */
  readonly bound?: number;
  readonly tls?: { readonly name: string; readonly port: number; readonly bound?: number };
  /** `always` by its own protocol; `with certificate` where it offers TLS on its port; left out: its port is plain. */
  readonly encryption?: 'always' | 'with certificate';
  /** It is open unless its setting is empty; others are open where their setting is given. */
  readonly isUsual?: true;
};

/**
 * Every listener of devices. Their settings, the ports of `npm start`, and in the chart the environment, the Service, the
 * ports of pods and the network policy are made of these rows.
 */
export const LISTENERS = {
  scout: { setting: 'SCOUT', port: 4331, tls: { name: 'scout-tls', port: 4334 }, isUsual: true },
  callback: { setting: 'CALLBACK', port: 4332, tls: { name: 'callback-tls', port: 4335 }, isUsual: true },
  mqtt: { setting: 'MQTT', port: 1883, tls: { name: 'mqtt-tls', port: 8883 }, isUsual: true },
  ftp: { setting: 'FTP', host: 'UPLOAD', port: 21, bound: 2121, tls: { name: 'ftps', port: 990, bound: 2990 } },
  sftp: { setting: 'SFTP', host: 'UPLOAD', port: 22, bound: 2222, encryption: 'always' },
  smtp: { setting: 'SMTP_INTAKE', host: 'UPLOAD', port: 25, bound: 2525, encryption: 'with certificate' },
  waterlog: {
    setting: 'WATERLOG',
    host: 'STATIONS',
    certificate: 'STATIONS',
    port: 32_213,
    tls: { name: 'waterlog-tls', port: 32_214 },
  },
  waspmote: {
    setting: 'WASPMOTE',
    host: 'STATIONS',
    certificate: 'STATIONS',
    port: 5566,
    tls: { name: 'waspmote-tls', port: 5567 },
  },
} as const satisfies Readonly<Record<string, Listener>>;
export type ListenerName = keyof typeof LISTENERS;
export const LISTENER_NAMES = Object.keys(LISTENERS) as ListenerName[];

/** A row names the settings of a listener, and every port. */
export type ListenerRow = {
  readonly name: ListenerName;
  readonly hostSetting: string;
  readonly portSetting: string;
  readonly port: number;
  readonly bound: number;
  readonly encryption: 'never' | 'always' | 'with certificate';
  readonly isUsual: boolean;
  /** The settings of its certificate begin with this; undefined: it has none. */
  readonly certificate: string | undefined;
  readonly tls:
    | { readonly name: string; readonly setting: string; readonly port: number; readonly bound: number }
    | undefined;
};

export function listenerRow(name: ListenerName): ListenerRow {
  const { setting, host, certificate, port, bound, tls, encryption, isUsual }: Listener = LISTENERS[name];
  return {
    name,
    hostSetting: `${host ?? setting}_HOST`,
    portSetting: `${setting}_PORT`,
    port,
    bound: bound ?? port,
    encryption: encryption ?? 'never',
    isUsual: isUsual ?? false,
    certificate: encryption === 'always' ? undefined : (certificate ?? setting),
    tls: tls && { name: tls.name, setting: `${setting}_TLS_PORT`, port: tls.port, bound: tls.bound ?? tls.port },
  };
}

type Settings = { readonly [T in AnyTransport as Capitalize<T['$case']>]: T['value'] };

/** A source says this of its transport, secrets with it. */
export type SettingsOf<N extends TransportName> = Settings[N];

const caseOf = (name: TransportName) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** @param fields by the names of the contract; others are left out */
export const transportSettings = (name: TransportName, fields: object): TransportSettings =>
  TransportSettings.fromPartial({ of: { $case: caseOf(name), value: fields } as AnyTransport });

/** Returns the settings of a source that has this transport; undefined for one that has another. */
export const settingsOf = <N extends TransportName>(name: N, { of }: TransportSettings): SettingsOf<N> | undefined =>
  of?.$case === caseOf(name) ? (of.value as Settings[keyof Settings] as SettingsOf<N>) : undefined;

/**
 * HTTP sets these headers of a request by itself: to which host, over what connection, of what length (RFC 9110, 7.2,
 * 7.6, 8.6, 10.1.1).
 */
const HEADERS_OF_HTTP: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'http2-settings',
  'transfer-encoding',
  'content-length',
  'te',
  'trailer',
  'expect',
]);

/** Returns whether people may not choose a header of a download: it would lead the request elsewhere, or tear it apart. */
export const isHeaderOfHttp = (name: string): boolean => HEADERS_OF_HTTP.has(name.toLowerCase());
