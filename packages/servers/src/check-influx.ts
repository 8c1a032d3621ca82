const REQUEST_LIMIT_MS = 5_000;

/** Pings, and makes the administrator where there is none yet. @throws Error while it does not answer */
export async function checkInflux(url: string): Promise<void> {
  const { origin, username, password } = new URL(url);
  const ping = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
  if (ping.status !== 204) throw new Error(`InfluxDB answered ${ping.status} to a ping`);
  if (!username) return;
  const user = decodeURIComponent(username);
  // A server without users lets anybody make the first one; made again with the same password it changes nothing.
  const made = await query(
    origin,
    `CREATE USER "${user}" WITH PASSWORD '${decodeURIComponent(password)}' WITH ALL PRIVILEGES`,
  );
  if (made.status !== 200 && made.status !== 401) throw new Error(`InfluxDB answered ${made.status} to CREATE USER`);
  const shown = await query(origin, 'SHOW DATABASES', `${user}:${decodeURIComponent(password)}`);
  if (shown.status !== 200) throw new Error(`InfluxDB answered ${shown.status} to the login`);
}

async function query(origin: string, statement: string, login?: string): Promise<Response> {
  const response = await fetch(`${origin}/query`, {
    method: 'POST',
    body: new URLSearchParams({ q: statement }),
    ...(login ? { headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } } : {}),
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  });
  // Its status says all.
  await response.body?.cancel();
  return response;
}
