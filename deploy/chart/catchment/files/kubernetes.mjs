// Scripts of hooks ask the API of Kubernetes by this; it stands before each of them. The job has a limit of time: a
// server that does not answer is asked again until then.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { API_URL, TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token', PAUSE_MS = '1000' } = process.env;
const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port, NAMESPACE } = process.env;
const api = API_URL ?? `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
const LIMIT_MS = 10_000;

/**
 * @param path of an object in the namespace, as `apis/apps/v1 deployments/nodes`
 * @returns the answer; undefined where the server gives none that says anything
 */
async function ask(method, path, body, type = 'application/json') {
  const [group, object] = path.split(' ');
  const name = object.split('/').at(-1);
  try {
    const response = await fetch(`${api}/${group}/namespaces/${NAMESPACE}/${object}`, {
      method,
      headers: { Authorization: `Bearer ${(await readFile(TOKEN_FILE, 'utf8')).trim()}`, 'Content-Type': type },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const { status } = response;
    if (status >= 400 && status < 500 && ![404, 409, 429].includes(status))
      throw Object.assign(new Error(`${method} ${name}: ${status} ${(await response.text()).slice(0, 1_000)}`), { isFinal: true });
    const isJson = response.headers.get('content-type')?.includes('json');
    return status < 300 || status === 404 ? { status, object: await (isJson ? response.json() : response.text()) } : undefined;
  } catch (error) {
    if (error.isFinal) throw error;
    console.log(`${method} ${name}: ${error.cause?.code ?? error.message}; again`);
    return undefined;
  }
}

async function until(what, hasHappened) {
  console.log(what);
  while (!(await hasHappened())) await wait(Number(PAUSE_MS));
}
