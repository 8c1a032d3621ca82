import { DomainError } from '@catchment/errors';
import { lockOwner } from '../../changes/index.ts';
import { namingUnique } from '../../nodes/index.ts';
import { countBranch } from '../store/template-reach-query.ts';
import { behindInstances, dueTemplates, findInstances, findTemplate, type Template } from '../store/templates-query.ts';
import type { TemplateDeps } from './deps.ts';
import { followTemplate } from './follow-template.ts';
import type { InstanceStore } from './ports.ts';

/** One transaction takes this many nodes of instances; a larger instance has its own transaction. */
const BATCH_NODES = 500;
/** Callers wait much longer for an answer. */
const ANSWER_WAIT_MS = 5_000;
/** One background call runs at most this long; it is called again. */
const SWEEP_MS = 30_000;
const RETRY_MS = 60_000;
const FOLLOW_LATER = 'instances could not follow their template, trying again in the background';

type PropagationDeps = Pick<TemplateDeps, 'database' | 'now' | 'names' | 'answerWaitMs' | 'log'>;

/** This instance cannot follow its template as long as things are as they are. */
type Behind = { readonly nodeId: string; readonly message: string };
type Failure = { readonly instanceId: string; readonly error: unknown };

/**
 * Lets the instances of a changed template follow before the answer, as far as the time allows; the rest follow a moment later.
 * @returns those that cannot follow, and why
 */
export async function propagateNow(store: InstanceStore, deps: PropagationDeps, ownerId: string): Promise<Behind[]> {
  try {
    const failures = await propagate(store, deps, { ownerId, withinMs: deps.answerWaitMs ?? ANSWER_WAIT_MS });
    for (const { error: err, instanceId } of failures) deps.log.warn({ err, ownerId, instanceId }, FOLLOW_LATER);
    return failures.flatMap(({ error, instanceId }) =>
      error instanceof DomainError
        ? [{ nodeId: instanceId, message: `the instance cannot follow its template: ${error.message}` }]
        : [],
    );
  } catch (err) {
    // The change is stored, and the background brings the instances to it.
    deps.log.warn({ err, ownerId }, FOLLOW_LATER);
    return [];
  }
}

/** Brings instances up to date whose template has changed. Any replica may do it, at any time. */
export async function propagateDue(store: InstanceStore, deps: PropagationDeps): Promise<void> {
  const failures = await propagate(store, deps, { withinMs: SWEEP_MS });
  if (failures.length === 0) return;
  const errors = failures.map(({ error }) => error);
  throw new AggregateError(errors, 'instances could not follow their template');
}

/**
 * Each instance follows its template as a whole or not at all, some of them in each transaction, so that other changes of the
 * account go on in between. An instance that fails is passed over and tried again a minute later.
 * @returns what failed
 */
async function propagate(
  store: InstanceStore,
  deps: PropagationDeps,
  { ownerId, withinMs }: { readonly ownerId?: string; readonly withinMs: number },
): Promise<Failure[]> {
  const untilMs = performance.now() + withinMs;
  const failures: Failure[] = [];
  for (;;) {
    const due = await dueTemplates(deps.database, deps.now(), ownerId);
    if (due.length === 0) return failures;
    for (const template of due) {
      const isDone = await propagateOne(store, deps, template, untilMs, failures);
      if (!isDone) return failures;
    }
  }
}

/** @returns false when the time is over */
async function propagateOne(
  store: InstanceStore,
  deps: PropagationDeps,
  template: Template,
  untilMs: number,
  failures: Failure[],
): Promise<boolean> {
  let limit = await instancesAtOnce(deps, template.templateId);
  const failed: string[] = [];
  for (;;) {
    if (performance.now() >= untilMs) return false;
    const ids = await nextBehind(deps, template.templateId, limit, failed);
    if (ids.length === 0) break;
    try {
      await namingUnique(() => follow(store, deps, template, ids));
    } catch (error) {
      // A store that does not answer says nothing about an instance.
      if (error instanceof DomainError && error.kind === 'unavailable') throw error;
      if (ids.length > 1) limit = 1;
      else {
        failed.push(...ids);
        failures.push(...ids.map((instanceId) => ({ instanceId, error })));
      }
    }
  }
  if (failed.length > 0) await store.postpone(deps.database, template.templateId, deps.now() + RETRY_MS);
  else await finish(store, deps, template);
  return true;
}

async function instancesAtOnce(deps: PropagationDeps, templateId: string): Promise<number> {
  const [first] = await nextBehind(deps, templateId, 1, []);
  const sizes = [templateId, ...(first === undefined ? [] : [first])].map((id) => countBranch(deps.database, id));
  // Small ones cost their share of reading too.
  return Math.max(1, Math.floor(BATCH_NODES / Math.max(20, ...(await Promise.all(sizes)))));
}

async function nextBehind(deps: PropagationDeps, templateId: string, limit: number, failed: readonly string[]) {
  const template = await findTemplate(deps.database, templateId);
  const behind = template ? await behindInstances(deps.database, template, limit, failed) : [];
  return behind.map(({ instanceId }) => instanceId);
}

async function follow(
  store: InstanceStore,
  deps: PropagationDeps,
  { ownerId, templateId }: Template,
  ids: readonly string[],
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const template = await findTemplate(tx, templateId);
    if (!template) return;
    // Another replica may have been faster.
    const behind = (await findInstances(tx, ids)).filter(({ revision }) => revision < template.revision);
    const cause = { timeMs: deps.now(), username: template.username };
    await followTemplate(store, { tx, deps, cause }, template, behind);
  });
}

async function finish(
  { settle }: InstanceStore,
  deps: PropagationDeps,
  { ownerId, templateId }: Template,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const template = await findTemplate(tx, templateId);
    // Changed once more meanwhile: the next round has more to do.
    if (template && (await behindInstances(tx, template, 1, [])).length === 0) await settle(tx, templateId);
  });
}
