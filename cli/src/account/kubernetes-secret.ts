import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import path from 'node:path';
import { DomainError } from '@catchment/errors';
import type { KeyStore } from './keep-account.ts';

/** Where Kubernetes puts what a pod needs to speak with its API. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const LIMIT_MS = 10_000;

type Connection = { readonly host: string; readonly port: string; readonly folder: string };
type Answer = {
  readonly status: number;
  readonly body: { data?: Record<string, string>; message?: string; metadata?: { resourceVersion?: string } };
};

/** A Secret in the namespace of this pod, through the API server, with the pod's own service account. */
export class KubernetesSecret implements KeyStore {
  readonly #name: string;
  readonly #connection: Connection;
  /** Version of the last read. */
  #version = '';

  /** @param environment of the pod: KUBERNETES_SERVICE_HOST and _PORT */
  constructor(name: string, environment: NodeJS.ProcessEnv, folder: string = ACCOUNT_FOLDER) {
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
    if (!host) throw new Error('--kubernetes-secret works in a pod of Kubernetes only');
    this.#name = name;
    this.#connection = { host, port, folder };
  }

  async read(): Promise<Readonly<Record<string, string>>> {
    let found = await this.#call('GET', `/${this.#name}`);
    if (found.status === 404) {
      const manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: this.#name }, type: 'Opaque' };
      found = await this.#call('POST', '', manifest);
      // Somebody else made it in between.
      if (found.status === 409) found = await this.#call('GET', `/${this.#name}`);
      if (found.status !== 200 && found.status !== 201) throw this.#refused('create', found);
    } else if (found.status !== 200) throw this.#refused('read', found);
    this.#version = found.body.metadata?.resourceVersion ?? '';
    return Object.fromEntries(
      Object.entries(found.body.data ?? {}).map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]),
    );
  }

  addIfUnchanged(texts: Readonly<Record<string, string>>): Promise<void> {
    return this.#patch({ metadata: { resourceVersion: this.#version }, stringData: texts });
  }

  add(texts: Readonly<Record<string, string>>): Promise<void> {
    return this.#patch({ stringData: texts });
  }

  async #patch(change: object): Promise<void> {
    const answer = await this.#call('PATCH', `/${this.#name}`, change);
    if (answer.status !== 200) throw this.#refused('write', answer);
  }

  #refused(what: string, { status, body }: Answer): Error {
    const message = `Kubernetes does not let us ${what} the Secret ${this.#name}: ${status} ${body.message ?? ''}`;
    // Its API server starts, or has too much to do.
    return status >= 500 || status === 429 ? away(message) : new Error(message);
  }

  async #call(method: string, suffix: string, body?: object): Promise<Answer> {
    const { host, port, folder } = this.#connection;
    const [token, namespace, ca] = await Promise.all(
      ['token', 'namespace', 'ca.crt'].map((name) => readFile(path.join(folder, name), 'utf8')),
    );
    const answer = Promise.withResolvers<Answer>();
    const call = request(
      {
        host,
        port,
        ...(ca && { ca }),
        method,
        path: `/api/v1/namespaces/${namespace?.trim()}/secrets${suffix}`,
        signal: AbortSignal.timeout(LIMIT_MS),
        headers: {
          authorization: `Bearer ${token?.trim()}`,
          'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', answer.reject);
        response.on('end', () => {
          try {
            answer.resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
          } catch (cause) {
            answer.reject(new Error(`Kubernetes answered ${response.statusCode} without JSON`, { cause }));
          }
        });
      },
    );
    call.on('error', (cause) => answer.reject(away(`Kubernetes does not answer: ${cause.message}`, cause)));
    call.end(body && JSON.stringify(body));
    return answer.promise;
  }
}

/** It is worth trying again. */
const away = (message: string, cause?: Error): DomainError =>
  new DomainError('unavailable', 'KUBERNETES_AWAY', message, { cause });
