import { TransportSettings } from './generated/catchment/nodes/v1/nodes.ts';

type AnyTransport = NonNullable<TransportSettings['of']>;

/** Every transport, as in `transport._class` without the installation's prefix: those of the contract. */
export type TransportName = Capitalize<AnyTransport['$case']>;

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
