import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { attempt, inNamespace, run, say } from './commands.ts';

export const CHART = path.resolve(import.meta.dirname, '../chart/catchment');
export const RELEASE = 'catchment';
/** Each look costs a tenth of a second of processor time, which a small cluster has not to spare while pods start. */
const LOOK_MS = 2_000;
const EVICTION_MS = 120_000;
const PODS =
  'app.kubernetes.io/name=catchment,app.kubernetes.io/component notin (test,doctor,migrate,first-account,backup,retire,settle)';
const NO_BACKENDS = 'app.kubernetes.io/component notin (postgresql,nats,influxdb)';

type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly containers: readonly { readonly image: string; readonly ports?: readonly { containerPort: number }[] }[];
  };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
};
type Workload = {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
};
const isRolledOut = ({ metadata, spec, status }: Workload): boolean =>
  (status.observedGeneration ?? 0) >= metadata.generation &&
  [status.replicas, status.updatedReplicas, status.readyReplicas].every((count) => count === spec.replicas);

type PodList = { readonly items: readonly Pod[] };
const isReady = ({ status }: Pod): boolean =>
  status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** Runs a release of the chart in a separate namespace, on the cluster of KUBECONFIG. */
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

  /**
   * Installs, or upgrades to further `--set` arguments. Hooks are over when it resolves.
   * @param values further files, for this time
   * @param options.wait how long helm waits for the pods too
   */
  async apply(
    set: readonly string[] = [],
    values: readonly string[] = [],
    options: { readonly chart?: string; readonly wait?: string } = {},
  ): Promise<void> {
    const files = values.flatMap((file) => ['--values', file]);
    const waiting = options.wait === undefined ? ['--timeout', '5m'] : ['--wait', '--timeout', options.wait];
    await run('helm', ...this.arguments(set, options.chart), ...files, ...waiting);
  }

  /** Returns the arguments of helm for an installation or upgrade. */
  arguments(set: readonly string[], chart: string = CHART): string[] {
    const place = ['upgrade', '--install', RELEASE, chart, '--namespace', this.namespace, '--create-namespace'];
    return [...place, ...this.#values, ...set.flatMap((setting) => ['--set', setting])];
  }

  /** Waits until every pod that shall run is Ready, and none of an older version is left. */
  async waitReady(seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const [workloads, pods] = await Promise.all([this.#workloads(), this.#pods(PODS)]);
      const waiting = [
        ...workloads.filter((workload) => !isRolledOut(workload)),
        ...pods.filter((pod) => pod.metadata.deletionTimestamp || !isReady(pod)),
      ];
      if (waiting.length === 0) return;
      const names = waiting.map(({ metadata }) => metadata.name).join(' ');
      if (Date.now() > deadline) throw new Error(`not Ready, or not gone: ${names}`);
      await wait(LOOK_MS);
    }
  }

  async #workloads(): Promise<readonly Workload[]> {
    const list = await this.kubectl('get', 'deployment,statefulset', '--output', 'json');
    return (JSON.parse(list) as { items: readonly Workload[] }).items;
  }

  /** Those of services and backends. */
  async readyPods(): Promise<readonly Pod[]> {
    return (await this.#pods(PODS)).filter(isReady);
  }

  deployment = (service: string): string => `deployment/${RELEASE}-${service}`;

  imageOf(service: string): Promise<string> {
    const image = 'jsonpath={.spec.template.spec.containers[0].image}';
    return this.kubectl('get', this.deployment(service), '--output', image);
  }

  /** Counts the ready pods of services, by tag of their image. */
  async readyByTag(): Promise<Map<string, number>> {
    const byTag = new Map<string, number>();
    for (const pod of (await this.#pods(`${PODS},${NO_BACKENDS}`)).filter(isReady)) {
      // Pods that make reports run the image with Chromium of the same version.
      const tag = (pod.spec.containers[0]?.image.split(':').at(-1) ?? '').replace(/-chromium$/, '');
      byTag.set(tag, (byTag.get(tag) ?? 0) + 1);
    }
    return byTag;
  }

  async #pods(selector: string): Promise<readonly Pod[]> {
    const list = await this.kubectl('get', 'pods', '--selector', selector, '--output', 'json');
    return (JSON.parse(list) as PodList).items;
  }

  /** Asks the chart's PostgreSQL; the answer has no headings. */
  async sql(statement: string): Promise<string> {
    const psql = ['psql', '--username', 'catchment', '--tuples-only', '--no-align', '--command', statement];
    return (await this.kubectl('exec', `${RELEASE}-postgresql-0`, '--', ...psql)).trim();
  }

  /** Creates another account, as the notes say. @returns its administration key */
  async account(name: string): Promise<string> {
    const create = ['catchment', 'account', 'create', '--name', name, '--email', 'other@example.org'];
    const printed = await this.kubectl('exec', `service/${RELEASE}-nodes`, '--', ...create);
    const key = /Administration key[^:]*:\s+([A-Za-z0-9]{40})/.exec(printed)?.[1];
    if (!key) throw new Error('no account was created');
    return key;
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

  /** The first node's address. */
  nodeAddress(): Promise<string> {
    const internal = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}';
    return this.kubectl('get', 'nodes', '--output', internal);
  }

  /** Returns where the gateway answers: its NodePort on the first node. */
  async url(): Promise<string> {
    const port = await this.kubectl(
      'get',
      'service',
      `${RELEASE}-gateway`,
      '--output',
      'jsonpath={.spec.ports[0].nodePort}',
    );
    return `http://${await this.nodeAddress()}:${port}`;
  }

  /** Asks for the eviction of a pod, which its disruption budget may refuse; that is asked again until it is granted. */
  async evict(pod: string): Promise<void> {
    const deadline = Date.now() + EVICTION_MS;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'eviction-'));
    try {
      const file = path.join(folder, 'eviction.json');
      const metadata = { name: pod, namespace: this.namespace };
      await writeFile(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }));
      const subresource = `/api/v1/namespaces/${this.namespace}/pods/${pod}/eviction`;
      for (;;) {
        const { status, stderr } = await attempt('kubectl', 'create', '--raw', subresource, '--filename', file);
        if (status === 0) return;
        if (!stderr.includes('disruption budget') || Date.now() > deadline) throw new Error(`eviction: ${stderr}`);
        await wait(LOOK_MS);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Lists objects in the namespace besides those of every namespace, as kind/name. */
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

  /** Waits for the end of a job. */
  async finished(job: string, seconds: number): Promise<{ readonly isComplete: boolean; readonly log: string }> {
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const { status } = JSON.parse(await this.kubectl('get', 'job', job, '--output', 'json')) as {
        status: { succeeded?: number; conditions?: readonly { type: string; status: string }[] };
      };
      const isFailed = status.conditions?.some(({ type, status }) => type === 'Failed' && status === 'True') ?? false;
      const isComplete = (status.succeeded ?? 0) > 0;
      if (isComplete || isFailed || Date.now() > deadline) {
        const selector = `job-name=${job}`;
        return { isComplete, log: await this.kubectl('logs', '--selector', selector, '--tail', '50') };
      }
      await wait(LOOK_MS);
    }
  }

  async uninstall(): Promise<void> {
    await this.helm('uninstall', RELEASE, '--wait', '--timeout', '3m');
    await this.kubectl('wait', '--for=delete', 'pod', '--selector', PODS, '--timeout=120s');
  }

  async remove({ isWaited = false } = {}): Promise<void> {
    say(`removing the namespace ${this.namespace}`);
    await this.kubectl('delete', 'namespace', this.namespace, `--wait=${isWaited}`);
  }
}
