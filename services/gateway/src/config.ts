import path from 'node:path';
import { type EnvReader, readClassNamespace, requestMaxSeconds, WEB, webAddresses } from '@catchment/config';
import { type Environment, serviceConfig } from '@catchment/service';
import { isProxyRange } from './domain/proxies.ts';
import { PEER_NAMES } from './usecases/ports.ts';

/** Reads what the gateway uses, and its settings; every variable is described in the README. */
export const config = serviceConfig({
  name: 'gateway',
  uses: {
    peers: PEER_NAMES,
    server: false,
    // This port is for operators and their probes: `/metrics` is not for users of the API.
    healthPort: 8081,
  },
  settings: (read, env) => ({
    http: {
      host: read.text('HTTP_HOST', { fallback: '127.0.0.1' }),
      port: read.int('HTTP_PORT', { min: 0, max: 65_535, fallback: 8080 }),
      maxConnections: read.int('MAX_CONNECTIONS', { min: 1, max: 1_000_000, fallback: 4096 }),
    },
    ...addressesOfWeb(read),
    /** These providers may hand over SMS that came in; undefined = nobody by this provider. */
    smsIncoming: {
      /** The auth token of the Twilio account signs each request. */
      twilio: read.optionalText('SMS_INCOMING_TWILIO_TOKEN'),
      /** A gateway that sends JSON has this bearer token. */
      json: read.optionalText('SMS_INCOMING_TOKEN'),
    },
    /** Classes in the OpenAPI document begin with this. */
    classNamespace: readClassNamespace(read),
    pages: {
      /** Folder that `web` was built into. */
      webRoot: read.text('WEB_ROOT', { fallback: path.resolve(import.meta.dirname, '../../../web/dist') }),
      /** Raster tiles behind maps; undefined: maps have none, and browsers ask no other server. */
      mapTiles: mapTilesOf(read, env),
      /** Devices connect here, by the name of the listener: the console shows people what to type into a logger. */
      deviceAddresses: Object.fromEntries(
        read.parsedList('DEVICE_ADDRESSES', addressesOf, 'must be names and addresses such as mqtt=example.org:1883'),
      ),
      /** Bound the open streams of pages of this process, and those of one client address or session. */
      viewers: read.int('PAGE_VIEWERS_MAX', { min: 1, max: 1_000_000, fallback: 2_000 }),
      viewersOfClient: read.int('PAGE_VIEWERS_PER_CLIENT', { min: 1, max: 1_000_000, fallback: 200 }),
    },
    requireHttps: read.bool('REQUIRE_HTTPS', { fallback: false }),
    /** Addresses and CIDR ranges whose X-Forwarded-* headers are believed. */
    trustedProxies: listOf(read, 'TRUSTED_PROXIES', isProxyRange, PROXIES),
    corsOrigins: listOf(read, 'CORS_ORIGINS', isOrigin, ORIGINS),
    limits: {
      /** 0 = off. */
      requests: read.int('RATE_LIMIT_REQUESTS', { min: 0, max: 1_000_000_000, fallback: 0 }),
      windowMs: read.int('RATE_LIMIT_WINDOW_SECONDS', { min: 1, max: 86_400, fallback: 300 }) * 1000,
      replicas: read.int('GATEWAY_REPLICAS', { min: 1, max: 1000, fallback: 1 }),
      /** Historic reads and charts may take so long until their first byte. */
      slowReadMs: requestMaxSeconds(read) * 1000,
      /** Request bodies that are being received or handled share this memory, over all requests. */
      bodyMemoryBytes: read.int('BODY_MEMORY_BYTES', { min: 16 * 1024 * 1024, fallback: 512 * 1024 * 1024 }),
    },
    push: {
      /** Open streams of this process. */
      streams: read.int('STREAMS_MAX', { min: 1, max: 1_000_000, fallback: 2_500 }),
      streamsOfKey: read.int('STREAMS_PER_KEY', { min: 1, max: 1_000_000, fallback: 100 }),
    },
  }),
});

function addressesOfWeb(read: EnvReader) {
  const { baseUrl, appUrl } = webAddresses(read);
  return {
    /** OpenAPI names this server; undefined = relative links, which work from any address. */
    baseUrl,
    /** People open pages here; https: cookies are for HTTPS only. undefined = as each request comes. */
    appUrl,
    /** Sources' files are sent here; undefined = below /upload of any address. */
    uploadUrl: read.optionalUrl('UPLOAD_URL', WEB) ?? (baseUrl && `${baseUrl.replace(/\/$/, '')}/upload`),
  };
}

const PROXIES =
  'must be addresses, ranges such as 10.0.0.0/8, loopback, linklocal or uniquelocal, with commas between them';
const ORIGINS = 'must be origins such as https://app.example.org, without a path, with commas between them, or *';
/** Returns whether an origin is spelled as browsers send it: another spelling would never be found. */
const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text);

const ADDRESS = /^([a-z]{2,20})=([^\s=]{1,255})$/;

function addressesOf(items: readonly string[]): readonly (readonly [name: string, address: string])[] | undefined {
  const all = items.map((item) => ADDRESS.exec(item));
  return all.every((match) => match !== null) ? all.map(([, name = '', address = '']) => [name, address]) : undefined;
}

const listOf = (read: EnvReader, name: string, isOne: (item: string) => boolean, rule: string): readonly string[] =>
  read.parsedList(name, (items) => (items.every(isOne) ? items : undefined), rule);

/** The address of raster tiles has a place for each of their numbers. */
const TILES = /^https?:\/\/[^\s/'"<>;,]+\/\S*\{z\}\S*$/;

function mapTilesOf(read: EnvReader, env: Environment) {
  if (!env.MAP_TILES_URL) return undefined;
  const rule = 'must be an http or https address with {z}, {x} and {y}';
  const url = read.text('MAP_TILES_URL', { pattern: TILES, rule });
  return { url, attribution: read.optionalText('MAP_TILES_ATTRIBUTION') ?? '' };
}
