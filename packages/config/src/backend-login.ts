type Environment = Readonly<Record<string, string | undefined>>;

/** Servers whose login may be given apart from their URL. */
const BACKENDS = ['DATABASE', 'NATS', 'INFLUX'] as const;

/**
 * The environment with `DATABASE_URL`, `NATS_URL` and `INFLUX_URL` completed by `<NAME>_USER` and `<NAME>_PASSWORD`, where
 * these are set: a password from a Secret may hold any character, and the URL can lie in plain configuration.
 * NATS_URL may hold several URLs with commas. A URL that cannot be read stays as it is, for the reader to refuse.
 */
export function withBackendLogins<E extends Environment>(env: E): E {
  const completed: Record<string, string> = {};
  for (const backend of BACKENDS) {
    const user = env[`${backend}_USER`];
    const urls = env[`${backend}_URL`];
    if (user && urls) {
      const login = `${encodeURIComponent(user)}:${encodeURIComponent(env[`${backend}_PASSWORD`] ?? '')}@`;
      completed[`${backend}_URL`] = urls
        .split(',')
        .map((url) => url.trim().replace(/^([a-z][a-z0-9+.-]*:\/\/)(?:[^@/]*@)?/i, (_, protocol) => protocol + login))
        .join(',');
    }
  }
  return { ...env, ...completed };
}
