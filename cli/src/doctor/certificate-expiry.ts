import { X509Certificate } from 'node:crypto';
import { countOf } from '@catchment/number-format';
import { type Finding, ok, problem, warning } from './finding.ts';

const DAY_MS = 86_400_000;
const WARNING_DAYS = 30;
const PROBLEM_DAYS = 7;
const ADVICE = 'Renew it; processes that read it from a file are to be started again.';

/**
 * Unix ms of the end of the certificates of a PEM file: of a chain that of the first one that ends, of authorities, some of which may be over
 * for long, that of the last one.
 * @throws Error where there is none
 */
export function fileExpiry(pem: Uint8Array, kind: 'chain' | 'authorities'): number {
  const certificates = Buffer.from(pem)
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new Error('the file holds no certificate');
  const ends = certificates.map((one) => Date.parse(new X509Certificate(one).validTo));
  return kind === 'chain' ? Math.min(...ends) : Math.max(...ends);
}

/** @param expiryMs Unix ms */
export function expiryFinding(about: string, expiryMs: number, nowMs: number = Date.now()): Finding {
  const days = Math.floor((expiryMs - nowMs) / DAY_MS);
  const on = new Date(expiryMs).toISOString().slice(0, 10);
  if (days < 0) return problem(about, `ended on ${on}`, ADVICE);
  if (days < PROBLEM_DAYS) return problem(about, `ends in ${countOf(days, 'day')}, on ${on}`, ADVICE);
  if (days < WARNING_DAYS) return warning(about, `ends in ${countOf(days, 'day')}, on ${on}`, ADVICE);
  return ok(about, `holds until ${on}`);
}
