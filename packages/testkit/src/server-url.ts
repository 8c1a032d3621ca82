import { request } from 'node:http';
import { BROKER_ENV, type TestServerKind, URL_ENV } from './server-kinds.ts';

const START_LIMIT_MS = 300_000; // a first run may install packages

/** Returns the URL of the run's server of a kind, with its login; starts it when this is the first test that needs it. */
export async function testServerUrl(kind: TestServerKind): Promise<string> {
  const given = process.env[URL_ENV[kind]];
  if (given) return given;
  const socketPath = process.env[BROKER_ENV];
  if (!socketPath)
    throw new Error(`no test servers: run through vitest.config.ts of the root, or set ${URL_ENV[kind]}`);
  return ask(socketPath, kind);
}

function ask(socketPath: string, kind: TestServerKind): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: `/${kind}`, timeout: START_LIMIT_MS, agent: false }, async (response) => {
      const text = (await response.toArray()).join('');
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`no ${kind} for tests: ${text}`));
    });
    asked.once('timeout', () => asked.destroy(new Error(`${kind} did not start within ${START_LIMIT_MS} ms`)));
    asked.once('error', reject).end();
  });
}
