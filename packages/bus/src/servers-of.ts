import type { NodeConnectionOptions } from '@nats-io/transport-node';

/** Connection options of `nats://user:password@host:port?tls_ca=file,nats://…` (see `BusOptions.url`). */
export function serversOf(url: string): Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const parsed = url.split(',').map((address) => new URL(address.trim()));
  const login = parsed.find((server) => server.username !== '');
  const file = (name: string) => parsed[0]?.searchParams.get(name) || undefined;
  const [caFile, certFile, keyFile] = [file('tls_ca'), file('tls_cert'), file('tls_key')];
  const isTls = caFile || certFile || parsed.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: parsed.map((server) => `${server.protocol}//${server.host}`),
    ...(login && { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) }),
    ...(isTls && { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } }),
  };
}
