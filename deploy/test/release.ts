import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inNamespace, say } from './commands.ts';

const CHART = path.resolve(import.meta.dirname, '../chart/catchment');
export const RELEASE = 'catchment';
const PODS = 'app.kubernetes.io/part-of=catchment,app.kubernetes.io/component notin (test,migrate,first-account)';

type Pod = {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
};
type PodList = { readonly items: readonly Pod[] };
const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** A release of the chart in a namespace of its own, on the cluster of KUBECONFIG. */
export class Release {
  readonly namespace: string;
  readonly #values: readonly string[];
  readonly kubectl: (...args: string[]) => Promise<string>;
  readonly helm: (...args: string[]) => Promise<string>;

  /** @param values files for every installation and upgrade */
  constructor(namespace: string, values: readonly string[]) {
    this.namespace = namespace;
    this.#values = values.flatMap((file) => ['--values', file]);
    ({ kubectl: this.kubectl, helm: this.helm } = inNamespace(namespace));
  }

  /** Installs, or upgrades to further `--set` arguments. Hooks are over when it resolves. */
  async apply(set: readonly string[] = [], chart: string = CHART): Promise<void> {
    const further = set.flatMap((one) => ['--set', one]);
    await this.helm(
      'upgrade',
      '--install',
      RELEASE,
      chart,
      '--create-namespace',
      '--timeout',
      '5m',
      ...this.#values,
      ...further,
    );
  }

  /** Waits until every pod that shall run is Ready, and none of an older version is left. */
  async waitReady(seconds: number): Promise<void> {
    const workloads = (await this.kubectl('get', 'deployment,statefulset', '--output', 'name')).trim().split('\n');
    for (const workload of workloads) await this.kubectl('rollout', 'status', workload, `--timeout=${seconds}s`);
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const { items } = JSON.parse(
        await this.kubectl('get', 'pods', '--selector', PODS, '--output', 'json'),
      ) as PodList;
      const waiting = items.filter((pod) => pod.metadata.deletionTimestamp || !isReady(pod));
      if (waiting.length === 0) return;
      const names = waiting.map(({ metadata }) => metadata.name).join(' ');
      if (Date.now() > deadline) throw new Error(`not Ready, or not gone: ${names}`);
      await wait(500);
    }
  }

  async secret(name: string): Promise<Record<string, string>> {
    const { data } = JSON.parse(await this.kubectl('get', 'secret', name, '--output', 'json')) as {
      data: Record<string, string>;
    };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  key = async (): Promise<string> => (await this.secret(`${RELEASE}-first-account`))['administration-key'] as string;

  /** Where the gateway answers: its NodePort on the first node. */
  async url(): Promise<string> {
    const address = await this.kubectl(
      'get',
      'nodes',
      '--output',
      'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}',
    );
    const port = await this.kubectl(
      'get',
      'service',
      `${RELEASE}-gateway`,
      '--output',
      'jsonpath={.spec.ports[0].nodePort}',
    );
    return `http://${address}:${port}`;
  }

  /** What is in the namespace besides what Kubernetes puts into every one, as kind/name. */
  async objects(): Promise<string[]> {
    const kinds = 'all,pvc,secret,configmap,serviceaccount,role,rolebinding,networkpolicy,pdb,hpa,ingress';
    const listed = (await this.kubectl('get', kinds, '--output', 'name')).trim().split('\n');
    return listed
      .filter((name) => name && !/^configmap\/kube-root-ca.crt$|^serviceaccount\/default$/.test(name))
      .sort();
  }

  async restarts(): Promise<string[]> {
    const path = 'jsonpath={range .items[*]}{.metadata.name}={.status.containerStatuses[0].restartCount}{"\\n"}{end}';
    const lines = (await this.kubectl('get', 'pods', '--output', path)).trim().split('\n');
    return lines.filter((line) => !line.endsWith('=0'));
  }

  async uninstall(): Promise<void> {
    await this.helm('uninstall', RELEASE, '--wait', '--timeout', '3m');
    await this.kubectl('wait', '--for=delete', 'pod', '--selector', PODS, '--timeout=120s');
  }

  async remove(): Promise<void> {
    say(`removing the namespace ${this.namespace}`);
    await this.kubectl('delete', 'namespace', this.namespace, '--wait=false');
  }
}
