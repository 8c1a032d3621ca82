import type { EnvReader } from '@catchment/config';
import type { RemoteGatesDeps } from './remote-gates.ts';

export type RemoteSettings = {
  /** Ports are opened here. */
  readonly host: string;
  /** Clients connect to this. */
  readonly publicHost: string;
  /** Undefined: remote access is off. */
  readonly ports: RemoteGatesDeps['ports'] | undefined;
};

/** Remote access is off unless ports are given, as in "4400-4409". */
export function remoteSettings(read: EnvReader): RemoteSettings {
  const range = read.optionalText('REMOTE_PORTS') ?? '';
  const [first = 0, last = first] = range.split('-').map(Number);
  const isRange =
    /^\d{1,5}(?:-\d{1,5})?$/.test(range) && first >= 1 && last <= 65_535 && first <= last && last - first < 1_000;
  read.check(
    ['REMOTE_PORTS'],
    range === '' || isRange,
    'REMOTE_PORTS must be a range of at most 1000 ports such as 4400-4409',
  );
  const host = read.text('REMOTE_HOST', { fallback: '127.0.0.1' });
  const publicHost = read.optionalText('REMOTE_PUBLIC_HOST') ?? host;
  return { host, publicHost, ports: range === '' ? undefined : { first, last } };
}
