import { type KubernetesAnswer, KubernetesApi, kubernetesAway } from '../kubernetes-api.ts';
import type { KeyStore } from './keep-account.ts';

type Body = { readonly data?: Record<string, string>; readonly metadata?: { readonly resourceVersion?: string } };

/** Keeps keys in a Secret of this pod's namespace, through the API server, with the pod's service account. */
export class KubernetesSecret implements KeyStore {
  readonly #name: string;
  readonly #api: KubernetesApi;
  /** Version of the last read. */
  #version = '';

  /** @param environment of the pod: KUBERNETES_SERVICE_HOST and _PORT */
  constructor(name: string, environment: NodeJS.ProcessEnv, folder?: string) {
    if (!environment.KUBERNETES_SERVICE_HOST) throw new Error('--kubernetes-secret works in a pod of Kubernetes only');
    this.#name = name;
    this.#api = new KubernetesApi(environment, folder);
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

  #refused(what: string, { status, body }: KubernetesAnswer<Body>): Error {
    const message = `Kubernetes does not let us ${what} the Secret ${this.#name}: ${status} ${body.message ?? ''}`;
    // Its API server starts, or has too much to do.
    return status >= 500 || status === 429 ? kubernetesAway(message) : new Error(message);
  }

  #call(method: string, suffix: string, body?: object): Promise<KubernetesAnswer<Body>> {
    return this.#api.call<Body>(method, `/secrets${suffix}`, body);
  }
}
