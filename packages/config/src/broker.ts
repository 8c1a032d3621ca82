import type { EnvReader } from './env-reader.ts';

const PROTOCOLS = new Set(['nats:', 'tls:']);

/** `NATS_URL` names the servers of the broker, with commas between them. */
export const natsUrl = (read: EnvReader): string =>
  read.parsed('NATS_URL', (text) => (text.split(',').every(isServer) ? text : undefined), {
    placeholder: 'nats://unset.invalid',
    rule: 'must be URLs that begin with nats:// or tls://, with commas between them',
  });

/** `NATS_PREFIX`: streams and subjects begin with it; empty where the installation has the broker to itself. */
export const natsPrefix = (read: EnvReader): string =>
  read.text('NATS_PREFIX', {
    fallback: '',
    pattern: /^[A-Za-z0-9_-]+$/,
    rule: 'must be letters, digits, - and _',
  });

function isServer(address: string): boolean {
  const text = address.trim();
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return PROTOCOLS.has(protocol) && hostname !== '';
}
