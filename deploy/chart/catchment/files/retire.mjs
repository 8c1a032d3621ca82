// A hook of an upgrade runs it in a pod: waits until each of NEW_DEPLOYMENTS has all its pods ready, then deletes OLD_DEPLOYMENTS. The job has a
// limit of time; a server that does not answer is asked again until then.
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { API_URL, TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token', PAUSE_MS = '1000' } = process.env;
const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port, NAMESPACE } = process.env;
const api = API_URL ?? `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
const names = (list = '') => list.split(' ').filter(Boolean);
const LIMIT_MS = 10_000;

/** @returns the answer; undefined where the server gives none that says anything */
async function ask(method, name, body) {
  try {
    const response = await fetch(`${api}/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${name}`, {
      method,
      headers: { Authorization: `Bearer ${(await readFile(TOKEN_FILE, 'utf8')).trim()}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const { status } = response;
    if (status === 401 || status === 403) throw Object.assign(new Error(`${method} ${name}: ${status}`), { isFinal: true });
    return status < 300 || status === 404 ? { status, object: await response.json() } : undefined;
  } catch (error) {
    if (error.isFinal) throw error;
    console.log(`${method} ${name}: ${error.cause?.code ?? error.message}; again`);
    return undefined;
  }
}

const isReady = ({ metadata, spec, status = {} }) =>
  (status.observedGeneration ?? 0) >= metadata.generation &&
  [status.updatedReplicas, status.readyReplicas, status.replicas].every((count) => (count ?? 0) === spec.replicas);

async function until(what, hasHappened) {
  console.log(what);
  while (!(await hasHappened())) await wait(Number(PAUSE_MS));
}

for (const name of names(process.env.NEW_DEPLOYMENTS))
  await until(`waiting for the pods of ${name}`, async () => {
    const answer = await ask('GET', name);
    return answer?.status === 200 && isReady(answer.object);
  });
for (const name of names(process.env.OLD_DEPLOYMENTS))
  await until(`deleting ${name}`, async () => (await ask('DELETE', name, { propagationPolicy: 'Background' })) !== undefined);
