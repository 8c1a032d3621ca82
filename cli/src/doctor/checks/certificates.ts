import { readFile } from 'node:fs/promises';
import { type Finding, ok, unknown } from '@catchment/bus';
import { type CertificateFile, certificateEndMs, certificateFiles } from '@catchment/service/certificate-files';
import { expiryFinding } from '../certificate-expiry.ts';
import type { Environment, Installation } from '../installation.ts';
import { presentedExpiry, type TlsServer } from '../presented-certificate.ts';
import { type Check, reasonOf } from '../run-checks.ts';

/** The address that clients use is waited for at most so long. */
const PUBLIC_MS = 5_000;
/** Checks certificates in files that the settings name, and those that the servers show. */
export function certificates({ environment, settings }: Installation): Check[] {
  const files = new Map<string, CertificateFile>();
  for (const values of [environment, ...settings.values()])
    for (const certificate of certificateFiles(values)) files.set(certificate.file, certificate);
  const checks = [
    ...[...files.values()].map(({ file, name, kind }): Check => {
      const about = `certificate ${name}`;
      const advice = `Check ${name}: the file must be readable and hold certificates in PEM.`;
      return {
        about,
        advice,
        look: async () => [expiryFinding(about, certificateEndMs(await readFile(file), kind))],
      };
    }),
    ...tlsServers(environment).map((server): Check => {
      const about = `certificate of ${server.name}`;
      const look = async ({ signal }: { signal: AbortSignal }) => [
        expiryFinding(about, await presentedExpiry(server, signal)),
      ];
      return { about, advice: `Check that ${server.host}:${server.port} speaks TLS.`, look };
    }),
    ...publicServers(environment).map(publicCertificate),
  ];
  if (checks.length > 0) return checks;
  return [
    {
      about: 'certificates',
      advice: '',
      look: async (): Promise<Finding[]> => [ok('certificates', 'no setting names one')],
    },
  ];
}

/**
 * Checks the certificate of the address that clients use. It leads through proxies and load balancers, which people reach from outside and
 * this process perhaps not: that it does not answer here is no fault of the installation.
 */
function publicCertificate(server: TlsServer): Check {
  const about = `certificate of ${server.name}`;
  const address = `${server.host}:${server.port}`;
  const advice = `Look from where clients are: openssl s_client -connect ${address} -servername ${server.host} </dev/null | openssl x509 -noout -enddate`;
  return {
    about,
    advice,
    look: async ({ ms, signal }) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.min(ms, PUBLIC_MS))]);
      let expiryMs: number;
      try {
        expiryMs = await presentedExpiry(server, limit);
      } catch (error) {
        return [unknown(about, `${address} shows none to this process: ${reasonOf(error)}`, advice)];
      }
      return [expiryFinding(about, expiryMs)];
    },
  };
}

/** Lists servers that the settings reach over TLS. */
export const tlsServers = (environment: Environment): TlsServer[] => [
  ...serversOf(
    environment.DATABASE_URL,
    { name: 'postgresql', protocol: 'postgresql', usualPort: 5432 },
    ({ searchParams }) => /^(require|verify-ca|verify-full|no-verify)$/.test(searchParams.get('sslmode') ?? ''),
  ),
  ...serversOf(
    environment.NATS_URL,
    { name: 'nats', protocol: 'nats', usualPort: 4222 },
    ({ protocol }) => protocol === 'tls:',
  ),
  ...serversOf(environment.INFLUX_URL, { name: 'influxdb', protocol: 'tls', usualPort: 443 }, isHttps),
];

/** Clients reach these over TLS. */
export const publicServers = (environment: Environment): TlsServer[] =>
  serversOf(environment.BASE_URL, { name: 'the gateway', protocol: 'tls', usualPort: 443 }, isHttps);

const isHttps = ({ protocol }: URL): boolean => protocol === 'https:';

const serversOf = (
  addresses: string | undefined,
  {
    name,
    protocol,
    usualPort,
  }: { readonly name: string; readonly protocol: TlsServer['protocol']; readonly usualPort: number },
  isTls: (url: URL) => boolean,
): TlsServer[] =>
  (addresses ?? '')
    .split(',')
    .map((part) => part.trim())
    .flatMap((text): TlsServer[] => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url || !isTls(url)) return [];
      return [{ name, protocol, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || usualPort }];
    });
