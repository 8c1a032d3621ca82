import type { NodeConnectionOptions } from '@nats-io/transport-node';

/** Connection options of `nats://user:password@host:port?tls_ca=file,nats://…` (see `BusOptions.url`). */
export function serversOf(url: string): Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> {
  const parsed = url.split(',').map((one) => new URL(one.trim()));
  const login = parsed.find((one) => one.username !== '');
  const file = (name: string) => parsed[0]?.searchParams.get(name) || undefined;
  const [caFile, certFile, keyFile] = [file('tls_ca'), file('tls_cert'), file('tls_key')];
  const isTls = caFile || certFile || parsed.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: parsed.map((one) => `${one.protocol}//${one.host}`),
    ...(login && { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) }),
    ...(isTls && { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } }),
  };
}
