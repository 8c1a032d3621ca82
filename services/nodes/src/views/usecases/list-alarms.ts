import type { Scope } from '@catchment/access';
import { invalid } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { ALARM_LIST, ALARM_TYPES, RAISED_STATES, readArguments } from '@catchment/query';
import type { JsonObject } from '../../domain/body/rule.ts';
import { findNode } from '../../nodes/index.ts';
import { statusOf } from '../domain/alarms-view.ts';
import { type AlarmPlace, raisedAlarms } from '../store/raised-alarms-query.ts';

/**
 * `GET /alarms` (docs/reference/alarms.md#lists-of-alarms) lists the alarms that are raised, of what the caller may see.
 * @throws DomainError invalid_argument naming the argument; not_found, permission_denied for the node and the Workspace
 */
export async function listAlarms(
  on: Queryable,
  scope: Scope,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly alarms: readonly JsonObject[]; readonly next: string | null }> {
  const { state, type, workspaceId, nodeId, limit, after } = readArguments(ALARM_LIST, given);
  const place = after === '' ? undefined : placeOf(after);
  const workspace = workspaceId === '' ? undefined : await findNode(on, scope, workspaceId);
  if (workspace && workspace.class !== 'Workspace')
    throw invalid('INVALID_ARGUMENT', 'workspaceId: must be of a Workspace');
  const node = nodeId === '' ? undefined : await findNode(on, scope, nodeId);
  const found = await raisedAlarms(on, scope, {
    states: state ?? RAISED_STATES,
    types: type,
    workspaceId: workspace?.nodeId,
    nodeId: node?.nodeId,
    after: place,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    alarms: page.map((alarm) => ({
      nodeId: alarm.nodeId,
      path: alarm.path,
      ...(alarm.locationId !== null && { locationId: alarm.locationId }),
      alarmType: alarm.alarmType,
      ...statusOf(alarm.status),
    })),
    next: found.length > limit && last ? nextOf(last) : null,
  };
}

/** The text is opaque to clients, so that it may hold something else one day. */
const nextOf = ({ activeMs, nodeId, alarmType }: AlarmPlace): string =>
  Buffer.from(`${activeMs} ${nodeId} ${alarmType}`).toString('base64url');

/** @throws DomainError invalid_argument */
function placeOf(after: string): AlarmPlace {
  const [time = '', nodeId = '', alarmType = '', ...more] = Buffer.from(after, 'base64url').toString().split(' ');
  const isType = (ALARM_TYPES as readonly string[]).includes(alarmType);
  if (!/^-?\d{1,15}$/.test(time) || !isObjectId(nodeId) || !isType || more.length > 0)
    throw invalid('INVALID_ARGUMENT', 'after: must be the next of an answer');
  return { activeMs: Number(time), nodeId, alarmType };
}
