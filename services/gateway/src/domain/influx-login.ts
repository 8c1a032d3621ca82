/** Clients of InfluxDB put their secret here, which is a key of the API. */
type InfluxLogin = {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  /** Argument `p` of version 1; who it says it is, `u`, does not matter. */
  readonly password: string | undefined;
};

/** Reads `Token key`, `Token user:key`, `Bearer key` or Basic (RFC 7617) with the key as the password. */
export function keyOfLogin({ apiKey, authorization, password }: InfluxLogin): string | undefined {
  if (apiKey !== undefined) return apiKey;
  if (authorization === undefined) return password;
  const [, scheme = '', secret = ''] = /^(token|bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? [];
  if (scheme === '') return undefined;
  const text = scheme.toLowerCase() === 'basic' ? Buffer.from(secret, 'base64').toString('utf8') : secret;
  return text.slice(text.indexOf(':') + 1);
}
