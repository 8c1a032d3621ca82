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

type Settings = { readonly [T in AnyTransport as Capitalize<T['$case']>]: T['value'] };

/** A source says this of its transport, secrets with it. */
export type SettingsOf<N extends TransportName> = Settings[N];

const caseOf = (name: TransportName) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** @param fields by the names of the contract; others are left out */
export const transportSettings = (name: TransportName, fields: object): TransportSettings =>
  TransportSettings.fromPartial({ of: { $case: caseOf(name), value: fields } as AnyTransport });

/** The settings of a source that has this transport; undefined for one that has another. */
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
