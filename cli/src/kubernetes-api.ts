import { access, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import { DomainError } from '@catchment/errors';

/** Kubernetes puts here what a pod needs to speak with its API. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const LIMIT_MS = 10_000;

export type KubernetesAnswer<Body> = { readonly status: number; readonly body: Body & { readonly message?: string } };

/** Asks the API server of the cluster for what is in the namespace of this pod, with the pod's own service account. */
export class KubernetesApi {
  readonly #host: string;
  readonly #port: string;
  readonly #folder: string;

  /** @param environment of the pod: KUBERNETES_SERVICE_HOST and _PORT @throws Error where there are none */
  constructor(environment: Readonly<Record<string, string | undefined>>, folder: string = ACCOUNT_FOLDER) {
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
    if (!host) throw new Error('this works in a pod of Kubernetes only');
    this.#host = host;
    this.#port = port;
    this.#folder = folder;
  }

  /** Returns true where the pod has what it needs to ask: not every pod is given a token. */
  static isThere(environment: Readonly<Record<string, string | undefined>>, folder: string = ACCOUNT_FOLDER) {
    const hasToken = () =>
      access(path.join(folder, 'token')).then(
        () => true,
        () => false,
      );
    return environment.KUBERNETES_SERVICE_HOST ? hasToken() : Promise.resolve(false);
  }

  /**
   * @param what below the namespace, such as `/pods?limit=5`
   * @throws DomainError unavailable, worth another try
   */
  async call<Body>(method: string, what: string, body?: object): Promise<KubernetesAnswer<Body>> {
    const [token, namespace, ca] = await Promise.all(
      ['token', 'namespace', 'ca.crt'].map((name) => readFile(path.join(this.#folder, name), 'utf8')),
    );
    const answer = Promise.withResolvers<KubernetesAnswer<Body>>();
    const call = request(
      {
        host: this.#host,
        port: this.#port,
        method,
        ...(ca && { ca }),
        path: `/api/v1/namespaces/${namespace?.trim()}${what}`,
        signal: AbortSignal.timeout(LIMIT_MS),
        headers: {
          authorization: `Bearer ${token?.trim()}`,
          'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
        },
      },
      (response) => {
        bodyOf<Body>(response).then(answer.resolve, answer.reject);
      },
    );
    call.on('error', (cause) => answer.reject(kubernetesAway(`Kubernetes does not answer: ${cause.message}`, cause)));
    call.end(body && JSON.stringify(body));
    return answer.promise;
  }
}

async function bodyOf<Body>(response: IncomingMessage): Promise<KubernetesAnswer<Body>> {
  const text = await textWithin(response, REMOTE_LIMITS.statistics);
  try {
    return { status: response.statusCode ?? 0, body: JSON.parse(text) };
  } catch (cause) {
    throw new Error(`Kubernetes answered ${response.statusCode} without JSON`, { cause });
  }
}

/** It is worth trying again. */
export const kubernetesAway = (message: string, cause?: Error): DomainError =>
  new DomainError('unavailable', 'KUBERNETES_AWAY', message, { cause });
