import { type Finding, ok, problem, unknown, warning } from '@catchment/bus';
import { countOf } from '@catchment/number-format';
import { KubernetesApi } from '../../kubernetes-api.ts';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

const ABOUT = 'pods';
/** More are not asked for: an installation has some dozens. */
const MOST = 500;
/** A pod that is not ready may be starting until then. */
const STARTING_MS = 5 * 60_000;
const RECENT_MS = 60 * 60_000;

type Ended = { readonly reason?: string; readonly exitCode?: number; readonly finishedAt?: string };
type ContainerState = {
  readonly name: string;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: Ended;
  };
  readonly lastState?: { readonly terminated?: Ended };
};
/** Kubernetes says this of a pod, as far as it is looked at. */
export type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly initContainerStatuses?: readonly ContainerState[];
    readonly containerStatuses?: readonly ContainerState[];
  };
};

/** Checks the pods that POD_SELECTOR names, where Kubernetes may be asked: also those that crash beside old ones that serve. */
export function pods({ environment }: Installation): Check[] {
  const selector = environment.POD_SELECTOR;
  if (!selector) return [];
  const advice = `Look by hand: kubectl get pods -l ${selector}`;
  return [
    {
      about: ABOUT,
      advice,
      look: async () => {
        if (!(await KubernetesApi.isThere(process.env)))
          return [unknown(ABOUT, 'this pod may not ask Kubernetes', advice)];
        const what = `/pods?limit=${MOST}&labelSelector=${encodeURIComponent(selector)}`;
        const { status, body } = await new KubernetesApi(process.env).call<{ items?: readonly Pod[] }>('GET', what);
        if (status !== 200) return [unknown(ABOUT, `Kubernetes does not say: ${status} ${body.message ?? ''}`, advice)];
        return podFindings(body.items ?? [], Date.now());
      },
    },
  ];
}

type Fault = {
  readonly component: string;
  readonly says: string;
  readonly advice: string;
  readonly isWarning?: boolean;
};

/** Reports pods that do not serve: those of one kind with one cause together. Jobs and tests that have ended are none. */
export function podFindings(all: readonly Pod[], nowMs: number): Finding[] {
  const faults = all.flatMap((pod): { name: string; fault: Fault }[] => {
    const fault = faultOf(pod, nowMs);
    return fault ? [{ name: pod.metadata.name, fault }] : [];
  });
  if (faults.length === 0) return [ok(ABOUT, `${countOf(all.length, 'pod is', 'pods are')} as they should be`)];
  const causes = Map.groupBy(faults, ({ fault: { component, says } }) => `${component} ${says}`);
  return [...causes.values()].map((those) => {
    const [{ name, fault }] = those as [(typeof those)[number]];
    const who = those.length === 1 ? name : `${those.length} of ${fault.component}, the first is ${name}`;
    const advice = fault.advice.replaceAll('POD', name);
    return (fault.isWarning ? warning : problem)(`pods of ${fault.component}`, `${fault.says}: ${who}`, advice);
  });
}

function faultOf({ metadata, status = {} }: Pod, nowMs: number): Fault | undefined {
  const { phase, conditions = [], initContainerStatuses = [], containerStatuses = [] } = status;
  const component = metadata.labels?.['app.kubernetes.io/component'] ?? metadata.name;
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  const condition = (type: string) => conditions.find((condition) => condition.type === type);
  const scheduled = condition('PodScheduled');
  if (scheduled?.status === 'False')
    return {
      component,
      says: `no node has room (${(scheduled.message ?? '').split('. ')[0]})`,
      advice: 'Give the cluster room, or lower requests: kubectl describe pod POD. Old pods serve on meanwhile.',
    };
  const containers = [...initContainerStatuses, ...containerStatuses];
  const waiting = containers.find(({ state }) =>
    /BackOff|^Err|Error$|^InvalidImage/.test(state?.waiting?.reason ?? ''),
  );
  if (waiting) return waitingFault(component, waiting);
  const killed = containers.find(({ lastState }) => isRecent(lastState?.terminated, nowMs));
  if (killed?.lastState?.terminated?.reason === 'OOMKilled')
    return {
      component,
      isWarning: true,
      says: 'was ended for its memory within an hour',
      advice:
        'Raise its memory limit, or look what takes the memory: docs/operations/runbook/CatchmentMemoryNearLimit.md.',
    };
  const ageMs = nowMs - Date.parse(metadata.creationTimestamp ?? '');
  if (condition('Ready')?.status === 'False' && ageMs > STARTING_MS)
    return {
      component,
      says: 'has run for minutes and is not ready',
      advice: 'kubectl describe pod POD says why; its service says more (above).',
    };
  return undefined;
}

/** Describes a container that is tried again and again, by its first cause. */
function waitingFault(component: string, { state, lastState, restartCount = 0 }: ContainerState): Fault {
  const { reason = '', message = '' } = state?.waiting ?? {};
  if (reason !== 'CrashLoopBackOff')
    return {
      component,
      says: `cannot start: ${reason} (${message.slice(0, 200)})`,
      advice: 'kubectl describe pod POD',
    };
  const { exitCode, reason: ended = '' } = lastState?.terminated ?? {};
  const how = ended === 'OOMKilled' ? 'for its memory' : `with exit code ${exitCode ?? 'unknown'}`;
  return {
    component,
    says: `ends again and again, ${how} (started ${restartCount + 1} times)`,
    advice: 'kubectl logs POD --previous says why; exit code 78: a setting is refused. Old pods serve on meanwhile.',
  };
}

const isRecent = (ended: Ended | undefined, nowMs: number): boolean =>
  ended?.finishedAt !== undefined && nowMs - Date.parse(ended.finishedAt) < RECENT_MS;
