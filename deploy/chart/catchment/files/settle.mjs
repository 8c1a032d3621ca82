// A hook before an upgrade runs it in a pod: gives each backend of the chart its pod of this release, and waits until it is ready before the next one, and before services are replaced.
// A backend that does not become ready gets its pod of before back, and the upgrade ends with the reason: nothing else has changed then.
import { readdir } from 'node:fs/promises';

const { FOLDER = '/etc/catchment/backends', SETTLE_SECONDS = '240', HOPELESS_SECONDS = '20' } = process.env;
/**
 * These do not mend themselves: a backend that waits for them is away, so it is not waited for to the end. Images that
 * come slowly are something else.
 */
const HOPELESS = /^(ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|CreateContainerConfigError|CrashLoopBackOff)$/;
const MARK = 'catchment.io/template';
const JSON_PATCH = 'application/json-patch+json';
const set = (name) => `apis/apps/v1 statefulsets/${name}`;
const pod = (name) => `api/v1 pods/${name}-0`;
const configMap = (name) => `api/v1 configmaps/${name}`;

async function get(path) {
  let answer;
  await until(`looking at ${path.split('/').at(-1)}`, async () => (answer = await ask('GET', path)) !== undefined);
  return answer.status === 404 ? undefined : answer.object;
}

/**
 * Replaces what differs as a whole: a merge would leave labels and variables that this release no longer has, and helm
 * would restart the pod again to remove them.
 */
async function replace(path, operations) {
  await until(`changing ${path.split('/').at(-1)}`, async () => (await ask('PATCH', path, operations, JSON_PATCH)) !== undefined);
}

/** The controller waits for ever for a pod that never becomes ready, and makes none of the new template in its place. */
async function removePod(name) {
  await until(`deleting the pod of ${name}`, async () => (await ask('DELETE', pod(name))) !== undefined);
}

const isReady = ({ metadata, spec, status = {} }) =>
  (status.observedGeneration ?? 0) >= metadata.generation &&
  status.currentRevision === status.updateRevision &&
  [status.readyReplicas, status.replicas].every((count) => (count ?? 0) === spec.replicas);

/** @returns whether the backend became ready in time */
async function becomesReady(name) {
  const deadline = Date.now() + Number(SETTLE_SECONDS) * 1_000;
  let hopefulMs = Date.now();
  let ready = false;
  await until(`waiting for ${name}`, async () => {
    const answer = await ask('GET', set(name));
    ready = answer?.status === 200 && isReady(answer.object);
    if (ready) return true;
    const found = await ask('GET', pod(name));
    if (!isHopeless(found?.object)) hopefulMs = Date.now();
    return Date.now() > Math.min(deadline, hopefulMs + Number(HOPELESS_SECONDS) * 1_000);
  });
  return ready;
}

const unscheduled = ({ status = {} } = {}) =>
  (status.conditions ?? []).find(({ type, status: state }) => type === 'PodScheduled' && state === 'False');
const containerOf = ({ status = {} } = {}) => (status.containerStatuses ?? [])[0] ?? {};
const isHopeless = (object) => Boolean(unscheduled(object)) || HOPELESS.test(containerOf(object).state?.waiting?.reason ?? '');

/** The end of what a container has written that has ended, which mostly says why. */
async function lastWords(name, { restartCount = 0 }) {
  const which = `tailLines=3&limitBytes=1000${restartCount > 0 ? '&previous=true' : ''}`;
  // There is none of a container that has never run.
  const answer = await ask('GET', `${pod(name)}/log?${which}`).catch(() => undefined);
  const words = answer?.status === 200 ? String(answer.object).trim() : '';
  if (!words) return '';
  const advice = words.includes('exec format error') ? '. Its image is for another architecture than that of the node: kubectl get nodes -L kubernetes.io/arch' : '';
  return `. The end of its log: ${words}${advice}`;
}

/** Returns what the scheduler, the node or the container says of a pod. */
async function reasonOf(name) {
  const object = await get(pod(name));
  const condition = unscheduled(object);
  if (condition) return `its pod is not scheduled: ${condition.message}`;
  const container = containerOf(object);
  const { state = {}, lastState = {} } = container;
  const ended = state.terminated ?? lastState.terminated;
  if (ended) return `its container ended with ${ended.exitCode} (${ended.reason})${ended.message ? `: ${ended.message}` : ''}${await lastWords(name, container)}`;
  if (state.waiting) return `its container waits: ${state.waiting.reason}${state.waiting.message ? `: ${state.waiting.message}` : ''}`;
  return 'its container runs and does not answer yet';
}

/** @returns what has to be said where the backend is not ready in the end */
async function settle({ statefulSet: name, sha256, template, config }) {
  const before = await get(set(name));
  if (!before) return console.log(`${name} is not there yet: it comes with the release`);
  const configBefore = config && (await get(configMap(name)));
  if (before.metadata.annotations?.[MARK] !== sha256) {
    if (configBefore) await replace(configMap(name), [{ op: 'add', path: '/data', value: config }]);
    // Kept: what `kubectl rollout restart` has left.
    const annotations = { ...before.spec.template.metadata.annotations, ...template.metadata.annotations };
    const value = { ...template, metadata: { ...template.metadata, annotations } };
    await replace(set(name), [
      { op: 'add', path: '/metadata/annotations', value: { ...before.metadata.annotations, [MARK]: sha256 } },
      { op: 'replace', path: '/spec/template', value },
    ]);
    if (!isReady(before)) await removePod(name);
  }
  if (await becomesReady(name)) return undefined;
  const said = `${name} did not become ready: ${await reasonOf(name)}.`;
  if (before.metadata.annotations?.[MARK] === sha256 || !isReady(before)) return `${said} It was not before this upgrade either.`;
  if (configBefore) await replace(configMap(name), [{ op: 'add', path: '/data', value: configBefore.data }]);
  await replace(set(name), [
    { op: 'add', path: '/metadata/annotations', value: before.metadata.annotations ?? {} },
    { op: 'replace', path: '/spec/template', value: before.spec.template },
  ]);
  await removePod(name);
  return `${said} It ${(await becomesReady(name)) ? 'runs' : 'is started'} as before again.`;
}

for (const file of (await readdir(FOLDER)).filter((one) => one.endsWith('.json')).sort()) {
  const failure = await settle(JSON.parse(await readFile(`${FOLDER}/${file}`, 'utf8')));
  if (failure) {
    console.error(`${failure} The services were not touched. docs/operations/upgrade.md has what to do.`);
    process.exit(1);
  }
}
