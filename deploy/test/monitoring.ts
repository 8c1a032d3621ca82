import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inNamespace, run } from './commands.ts';

/** The image has this version: the operator starts it with the arguments that this version knows. */
const VERSION = 'v3.13.0';
const NAME = 'prometheus';

type Series = { readonly metric: Readonly<Record<string, string>> };
type RuleGroup = { readonly rules: readonly { readonly name: string; readonly health: string }[] };

/**
 * The operator of Prometheus runs a Prometheus in a separate namespace: it takes the PodMonitors and rules of one other namespace.
 */
export class Monitoring {
  readonly namespace: string;
  readonly #watched: string;
  readonly #image: string;
  readonly #kubectl: (...args: string[]) => Promise<string>;

  constructor(watched: string, image: string) {
    this.namespace = `${watched}-monitoring`;
    this.#watched = watched;
    this.#image = image;
    this.#kubectl = inNamespace(this.namespace).kubectl;
  }

  /** KEDA asks this URL. */
  get url(): string {
    return `http://prometheus-operated.${this.namespace}:9090`;
  }

  async start(): Promise<void> {
    await run('kubectl', 'create', 'namespace', this.namespace);
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': this.#watched } };
    const account = { name: NAME, namespace: this.namespace };
    const spec = {
      image: this.#image,
      imagePullPolicy: 'Never',
      version: VERSION,
      replicas: 1,
      serviceAccountName: NAME,
      podMonitorNamespaceSelector: selector,
      podMonitorSelector: {},
      ruleNamespaceSelector: selector,
      ruleSelector: {},
      evaluationInterval: '15s',
      resources: { requests: { cpu: '50m', memory: '128Mi' } },
    };
    const role = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }] };
    const subjects = [{ kind: 'ServiceAccount', ...account }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: NAME };
    const inWatched = { name: NAME, namespace: this.#watched };
    await apply([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: inWatched, ...role },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: inWatched, subjects, roleRef },
      { apiVersion: 'monitoring.coreos.com/v1', kind: 'Prometheus', metadata: account, spec },
    ]);
  }

  /** Stops it, or starts it again without what it had stored. */
  async scale(replicas: 0 | 1): Promise<void> {
    await this.#kubectl(
      'patch',
      `prometheus/${NAME}`,
      '--type=merge',
      '--patch',
      JSON.stringify({ spec: { replicas } }),
    );
  }

  async query(expression: string): Promise<readonly Series[]> {
    const answer = await this.#get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`);
    return answer.result;
  }

  async ruleGroups(): Promise<readonly RuleGroup[]> {
    return (await this.#get<{ groups: RuleGroup[] }>('rules')).groups;
  }

  async #get<T>(path: string): Promise<T> {
    const proxy = `/api/v1/namespaces/${this.namespace}/services/prometheus-operated:9090/proxy/api/v1/${path}`;
    return (JSON.parse(await run('kubectl', 'get', '--raw', proxy)) as { data: T }).data;
  }

  async remove(): Promise<void> {
    await run('kubectl', 'delete', 'namespace', this.namespace, '--wait=false');
  }
}

async function apply(items: readonly object[]): Promise<void> {
  const kubectl = spawn('kubectl', ['apply', '--filename', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  kubectl.stdin.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const [status] = await once(kubectl, 'exit');
  if (status !== 0) throw new Error(`kubectl apply ended with ${status}`);
}
