import { isIPv4 } from 'node:net';
import type { EnvReader } from '@catchment/config';
import { listenerSettings } from '../../listening/index.ts';
import type { PortRange } from './passive-port.ts';

export type UploadSettings = ReturnType<typeof uploadSettings>;

/** Reads settings of FTP, SFTP and mails, see README. A listener without its port is not opened. */
export function uploadSettings(read: EnvReader) {
  const count = (name: string, fallback: number) => read.int(name, { min: 1, max: 1_000_000, fallback });
  return {
    ftp: {
      ...listenerSettings(read, 'ftp'),
      passivePorts: read.parsed('FTP_PASSIVE_PORTS', rangeOf, {
        fallback: '0',
        placeholder: '0',
        rule: 'must be a range of ports such as 30000-30099, or 0 for any',
      }).range,
      publicAddress: read.parsed('FTP_PUBLIC_ADDRESS', (text) => (text === '' || isIPv4(text) ? { text } : undefined), {
        fallback: '',
        placeholder: '',
        rule: 'must be an IPv4 address',
      }).text,
      isActiveAllowed: read.bool('FTP_ACTIVE', { fallback: false }),
    },
    sftp: sftpSettings(read),
    mail: mailSettings(read),
    maxConnections: count('UPLOAD_MAX_CONNECTIONS', 1_000),
    maxConnectionsPerAddress: count('UPLOAD_MAX_CONNECTIONS_PER_ADDRESS', 100),
    maxFailures: count('UPLOAD_MAX_FAILURES', 100),
    failureWindowSeconds: read.int('UPLOAD_FAILURE_WINDOW_SECONDS', { min: 1, max: 86_400, fallback: 300 }),
    loginMs: read.int('UPLOAD_LOGIN_SECONDS', { min: 1, max: 600, fallback: 30 }) * 1_000,
    idleMs: read.int('UPLOAD_IDLE_SECONDS', { min: 1, max: 3_600, fallback: 300 }) * 1_000,
    pauseMs: read.int('UPLOAD_PAUSE_SECONDS', { min: 1, max: 3_600, fallback: 60 }) * 1_000,
  };
}

function sftpSettings(read: EnvReader) {
  const listener = listenerSettings(read, 'sftp');
  const hostKeyFiles = read.list('SFTP_HOST_KEY_FILES', { fallback: [] });
  const isComplete = listener.port === undefined || hostKeyFiles.length > 0;
  read.check(['SFTP_PORT', 'SFTP_HOST_KEY_FILES'], isComplete, 'SFTP_PORT needs SFTP_HOST_KEY_FILES');
  return { ...listener, hostKeyFiles };
}

function mailSettings(read: EnvReader) {
  const listener = listenerSettings(read, 'smtp');
  const domain = read.text('SMTP_INTAKE_DOMAIN', { fallback: '' });
  const isComplete = listener.port === undefined || domain !== '';
  read.check(['SMTP_INTAKE_PORT', 'SMTP_INTAKE_DOMAIN'], isComplete, 'SMTP_INTAKE_PORT needs SMTP_INTAKE_DOMAIN');
  return { ...listener, domain };
}

function rangeOf(text: string): { readonly range: PortRange } | undefined {
  if (text === '0') return { range: undefined };
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && last <= 65_535 && first <= last ? { range: { first, last } } : undefined;
}
