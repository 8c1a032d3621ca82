import { ControlChanged } from '@catchment/contracts/nodes-messages';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import { type Cause, nodeEvent } from '../../changes/index.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type ControlValue, readControlValue } from '../../domain/classes/control-value.ts';
import { isEnabled, type StoredNode } from '../../domain/classes/node.ts';
import { isControl } from '../../domain/classes/node-class.ts';
import { nodesById } from '../../nodes/index.ts';
import type { Controls } from './ports.ts';

const ATTRIBUTE = 'controlValue';

/** Reads the value that a body asks for; undefined = it asks for none. */
export const controlAsked = (node: StoredNode, body: JsonObject): unknown =>
  isControl(nodeClass(node.class)) ? body[ATTRIBUTE] : undefined;

/**
 * Asks for a control operation, or takes back what waits (docs/reference/parameters.md#control-parameters). The devices service does the
 * rest.
 * @param node as it is after the other changes of the request
 * @param value null = nothing is to be sent any more
 * @throws DomainError invalid_argument
 */
export async function setControl(
  { keepControl, dropControl, touchOwners }: Controls,
  tx: Queryable,
  node: StoredNode,
  value: unknown,
  { isInTemplate, cause }: { readonly isInTemplate: boolean; readonly cause: Cause },
): Promise<void> {
  if (value === null) {
    const revision = await dropControl(tx, node.nodeId);
    if (revision !== undefined) await appendOutbox(tx, [controlChanged(node, revision, undefined, cause)]);
  } else {
    const control = readControlValue(nodeClass(node.class), node.config, value);
    await checkSource(tx, node, isInTemplate);
    const revision = await keepControl(tx, node.nodeId, control.shown);
    const event = nodeEvent(node, `Control '${node.name}' set to ${control.text}`, cause, 'CONTROL');
    await appendOutbox(tx, [event, controlChanged(node, revision, control, cause)]);
  }
  await touchOwners(tx, [node.ownerId], 'configuration');
}

async function checkSource(tx: Queryable, node: StoredNode, isInTemplate: boolean): Promise<void> {
  if (isInTemplate) throw invalidAttribute(ATTRIBUTE, 'must not be given in a template');
  const [source] = await nodesById(tx, node.ownerId, [node.parentId ?? '']);
  if (!source || !isEnabled(source.config)) throw invalidAttribute(ATTRIBUTE, 'cannot be sent: its source is disabled');
  if (nodeClass(node.class).family === 'TEXT' && source.class === 'source.data.CampbellPakBus')
    throw invalidAttribute(ATTRIBUTE, 'cannot be a text: PakBus loggers take numbers alone');
}

const controlChanged = (
  { nodeId, ownerId, workspaceId, parentId, seriesKey, name, class: className }: StoredNode,
  revision: number,
  control: ControlValue | undefined,
  cause: Cause,
): OutboxMessage => ({
  subject: 'nodes.control.changed.v1',
  data: ControlChanged.encode({
    nodeId,
    ownerId,
    workspaceId,
    revision,
    name,
    ...cause,
    sourceId: parentId ?? '',
    series: seriesKey ?? '',
    value: control ? JSON.stringify(control.raw) : '',
    family: nodeClass(className).family ?? '',
  }).finish(),
});
