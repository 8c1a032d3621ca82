import { type Finding, ok, problem } from '@catchment/bus';
import { type Pod, podFindings } from './checks/pods.ts';
import { onceEach } from './once-each.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const ago = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();

/** Makes a pod of nodes that has served for an hour. */
const pod = (name: string, status: object = {}, minutes = 60): Pod => ({
  metadata: { name, labels: { 'app.kubernetes.io/component': 'nodes' }, creationTimestamp: ago(minutes) },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
    containerStatuses: [{ name: 'nodes', restartCount: 0 }],
    ...status,
  },
});
const container = (more: object) => ({ containerStatuses: [{ name: 'nodes', restartCount: 4, ...more }] });
const crashing = container({
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } },
  lastState: { terminated: { exitCode: 78, finishedAt: ago(1) } },
});
const notReady = { conditions: [{ type: 'Ready', status: 'False' }] };
const says = (pods: readonly Pod[]) =>
  podFindings(pods, NOW_MS).map(({ level, about, says }) => `${level} ${about}: ${says}`);

test.each<[string, readonly Pod[], readonly string[]]>([
  ['that serve', [pod('a'), pod('b')], ['ok pods: 2 pods are as they should be']],
  [
    'one that crashes beside an old one that serves',
    [pod('old'), pod('new', crashing, 2)],
    ['problem pods of nodes: ends again and again, with exit code 78 (started 5 times): new'],
  ],
  [
    'three that crash for one cause',
    [pod('x', crashing), pod('y', crashing), pod('z', crashing)],
    ['problem pods of nodes: ends again and again, with exit code 78 (started 5 times): 3 of nodes, the first is x'],
  ],
  [
    'one whose image is missing',
    [pod('a', container({ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }), 1)],
    ['problem pods of nodes: cannot start: ErrImagePull (not found): a'],
  ],
  [
    'one whose Secret is missing',
    [
      pod(
        'a',
        container({ state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "t" not found' } } }),
      ),
    ],
    ['problem pods of nodes: cannot start: CreateContainerConfigError (secret "t" not found): a'],
  ],
  [
    'one that no node has room for',
    [
      pod('a', {
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            message: '0/1 nodes are available: 1 Insufficient cpu. preemption: none',
          },
        ],
      }),
    ],
    ['problem pods of nodes: no node has room (0/1 nodes are available: 1 Insufficient cpu): a'],
  ],
  [
    'one that was ended for its memory',
    [pod('a', container({ lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, finishedAt: ago(20) } } }))],
    ['warning pods of nodes: was ended for its memory within an hour: a'],
  ],
  [
    'one that was ended yesterday',
    [pod('a', container({ lastState: { terminated: { reason: 'OOMKilled', finishedAt: ago(1_440) } } }))],
    ['ok pods: 1 pod is as they should be'],
  ],
  ['one that starts', [pod('a', notReady, 2)], ['ok pods: 1 pod is as they should be']],
  [
    'one that has not become ready',
    [pod('a', notReady, 20)],
    ['problem pods of nodes: has run for minutes and is not ready: a'],
  ],
  [
    'jobs that have ended',
    [pod('a', { phase: 'Succeeded', ...notReady }), pod('b', { phase: 'Failed', ...notReady })],
    ['ok pods: 2 pods are as they should be'],
  ],
])('pods: %s', (_what, pods, expected) => {
  expect(says(pods)).toEqual(expected);
});

test('the advice names the pod', () => {
  expect(podFindings([pod('catchment-nodes-1', crashing)], NOW_MS)[0]?.advice).toContain(
    'kubectl logs catchment-nodes-1 --previous',
  );
});

test('one cause is reported once, with all that it holds up; what is well is reported for each', () => {
  const away = (about: string): Finding =>
    problem(about, 'is not ready: it does not reach postgres', 'Repair postgres first.');
  expect(
    onceEach([ok('a', 'is ready'), away('nodes'), ok('b', 'is ready'), away('alarms'), problem('nats', 'other', 'x')]),
  ).toEqual([ok('a', 'is ready'), away('nodes, alarms'), ok('b', 'is ready'), problem('nats', 'other', 'x')]);
});
