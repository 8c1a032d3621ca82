import { type ApiCaller, may } from '@catchment/access';
import { DomainError, invalid, notFound } from '@catchment/errors';
import type { NodeCall } from '@catchment/node-replica';
import { ALARM_TYPES, ALARMS_MAX, type AlarmType } from '@catchment/query';
import { chosenAlarmTypes } from '../domain/alarm-types.ts';
import { type Node, toNode } from '../domain/node.ts';
import { type AlarmDeps, acknowledgement, CLEAR, changeStored } from './change-alarms.ts';

/** The request names alarms of several nodes (docs/reference/alarms.md#lists-of-alarms). */
type ListedCommand = {
  readonly action: 'acknowledge' | 'clear';
  readonly alarms: readonly { readonly nodeRef: string; readonly alarmType: string }[];
  /** Empty = none. */
  readonly comment: string;
  readonly caller: ApiCaller;
  readonly call: NodeCall;
};

/**
 * Acknowledges or clears the alarms of a list, in one transaction; one that is not raised is left as it is.
 * @returns for each alarm that was asked for why it was refused; undefined: it was not
 * @throws DomainError invalid_argument: nothing is done then
 */
export async function changeListedAlarms(
  deps: AlarmDeps,
  { action, alarms, comment, caller, call }: ListedCommand,
): Promise<readonly (DomainError | undefined)[]> {
  if (alarms.length === 0 || alarms.length > ALARMS_MAX)
    throw invalid('INVALID_ATTRIBUTE', `alarms: must have 1 to ${ALARMS_MAX} entries`);
  const types = alarms.map(({ alarmType }, index) => knownType(alarmType, index));
  const how = action === 'clear' ? CLEAR : acknowledgement(caller, deps.now(), comment);
  const seen = await deps.nodes.seen([...new Set(alarms.map(({ nodeRef }) => nodeRef))], call);
  const nodes = new Map<string, Node>();
  for (const config of seen) {
    nodes.set(config.nodeId, toNode(config));
    if (config.customId !== '') nodes.set(`@${config.customId}`, toNode(config));
  }
  const chosen = new Map<string, { node: Node; types: AlarmType[] }>();
  const outcomes = alarms.map(({ nodeRef }, index): DomainError | undefined => {
    const [node, type] = [nodes.get(nodeRef), types[index]];
    if (!node || !type) return notFound();
    const refusal = refusalOf(caller, node, type, how.needs);
    if (refusal) return refusal;
    const known = chosen.get(node.nodeId) ?? { node, types: [] };
    chosen.set(node.nodeId, { ...known, types: [...known.types, type] });
    return undefined;
  });
  if (chosen.size > 0) await changeStored(deps, caller, how, chosen);
  return outcomes;
}

/** @throws DomainError invalid_argument */
function knownType(given: string, index: number): AlarmType {
  const type = ALARM_TYPES.find((known) => known.toLowerCase() === given.toLowerCase());
  if (type) return type;
  throw invalid('INVALID_ATTRIBUTE', `alarms[${index}].alarmType: must be one of ${ALARM_TYPES.join(', ')}`);
}

function refusalOf(
  caller: ApiCaller,
  { workspaceId, nodeClass }: Node,
  type: AlarmType,
  needs: Parameters<typeof may>[2],
): DomainError | undefined {
  if (!may(caller, workspaceId, needs))
    return new DomainError('permission_denied', 'PERMISSION_NEEDED', 'Not permitted');
  try {
    chosenAlarmTypes([type], nodeClass);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
