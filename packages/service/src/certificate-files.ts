import { X509Certificate } from 'node:crypto';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that name a file with certificates: of listeners, of authorities, and our own that a server is shown. */
const FILE_SETTINGS = /_TLS_CERT_FILE$|^NODE_EXTRA_CA_CERTS$|^KAFKA_TLS_(?:CA|CERT)$/;
/** Those that hold authorities. */
const AUTHORITIES = /_CA_CERTS$|_CA$| sslrootcert$| tls_ca$/;
/** These arguments of DATABASE_URL and NATS_URL name a file. */
const FILE_ARGUMENTS = ['sslcert', 'sslrootcert', 'tls_cert', 'tls_ca'];

export type CertificateFile = {
  /** This setting names it: `MQTT_TLS_CERT_FILE`, `DATABASE_URL sslrootcert`. */
  readonly name: string;
  readonly file: string;
  /** `chain` ends with the first of its certificates, `authorities`, some of which may be over for long, with the last. */
  readonly kind: 'chain' | 'authorities';
  /** It is read by each new connection; the others once, at the start. */
  readonly isReadAgain: boolean;
};

/** Lists the files with certificates that settings name. */
export function certificateFiles(environment: Environment): CertificateFile[] {
  const found = (name: string, file: string, isReadAgain: boolean): CertificateFile => ({
    name,
    file,
    isReadAgain,
    kind: AUTHORITIES.test(name) ? 'authorities' : 'chain',
  });
  const named = Object.entries(environment).flatMap(([name, file]) =>
    file && FILE_SETTINGS.test(name) ? [found(name, file, false)] : [],
  );
  const inUrls = ['DATABASE_URL', 'NATS_URL'].flatMap((name) => {
    const url = environment[name]?.split(',')[0] ?? '';
    const given = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
    return FILE_ARGUMENTS.flatMap((argument) => {
      const file = given.get(argument);
      return file ? [found(`${name} ${argument}`, file, true)] : [];
    });
  });
  return [...named, ...inUrls];
}

/** Returns when the certificates of a PEM file end, Unix ms. @throws Error where there is none */
export function certificateEndMs(pem: Uint8Array, kind: CertificateFile['kind']): number {
  const certificates = Buffer.from(pem)
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new Error('the file holds no certificate');
  const ends = certificates.map((certificate) => Date.parse(new X509Certificate(certificate).validTo));
  return kind === 'chain' ? Math.min(...ends) : Math.max(...ends);
}
