import { AddressRefused } from './guarded-lookup.ts';
import { LimitReached } from './remote-limits.ts';

const FAILURES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host name not found',
  ENODATA: 'host name not found',
  ESERVFAIL: 'host name not found',
  EBADNAME: 'host name not found',
  ETIMEOUT: 'name servers do not answer',
  ETIMEDOUT: 'host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'host does not answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken off',
  EPIPE: 'connection broken off',
  UND_ERR_SOCKET: 'connection broken off',
  HPE_HEADER_OVERFLOW: 'headers of the answer are too large',
  UND_ERR_HEADERS_OVERFLOW: 'headers of the answer are too large',
  EHOSTUNREACH: 'host cannot be reached',
  ENETUNREACH: 'host cannot be reached',
};

const TLS_FAILURES: readonly (readonly [codes: RegExp, words: string])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'the port does not speak TLS'],
  [/HAS_EXPIRED/, 'the certificate has expired'],
  [/NOT_YET_VALID/, 'the certificate is not valid yet'],
  [/SELF_SIGNED/, 'the certificate is self-signed'],
  [/UNABLE_TO_/, 'the authority of the certificate is not known'],
  [/ALTNAME/, 'the certificate is of another host'],
];

/**
 * Returns words for people about a connection that failed; texts of libraries may hold whatever the other side sends.
 * @returns undefined for what is no failure of a connection
 */
export function failureWords(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof LimitReached) return error.words;
  const { name, code = '', cause, errors = [] } = error as Partial<AggregateError> & { readonly code?: unknown };
  // `errors`: every address of a name was tried.
  for (const error of [...errors, cause]) {
    const words = failureWords(error);
    if (words) return words;
  }
  if (Object.hasOwn(FAILURES, String(code))) return FAILURES[String(code)];
  if (/^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String(code)))
    return `TLS refused: ${TLS_FAILURES.find(([codes]) => codes.test(String(code)))?.[1] ?? 'no connection'} [${code}]`;
  return name === 'HTTPParserError' || /^HPE_/.test(String(code)) ? 'answer is no HTTP' : undefined;
}
