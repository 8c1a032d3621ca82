import { type Caller, permissionsIn } from '@catchment/access';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, displayTypeOf, type StoredNode, statesOf } from '../../domain/classes/node.ts';
import { isRoot, isSource } from '../../domain/classes/node-class.ts';
import type { Edges, Shown } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';
import { shownValue } from './series-view.ts';
import { withoutNulls } from './without-nulls.ts';

/** A line of a list or tree shows this of a node. */
export type LinedNode = StoredNode & {
  readonly edges: Edges;
  readonly shown: Shown;
  readonly alarms: Readonly<Record<string, StoredAlarm>>;
};

/** Shows a node on one line: what helps to recognise it, how it is, and what the caller may do with it. */
export function nodeLine(node: LinedNode, caller: Caller, names: ClassNames): JsonObject {
  const cls = nodeClass(node.class);
  return {
    ...withoutNulls({
      _id: node.nodeId,
      _class: names.full(cls.name),
      name: node.name,
      customId: node.customId,
      revision: node.revision,
      parentId: node.parentId,
      workspaceId: isRoot(cls) ? null : node.workspaceId,
      isActive: node.isActive,
      templateId: node.instanceId === node.nodeId ? node.templateNodeId : null,
      ...(isSource(cls) && { status: node.shown.status }),
      ...(cls.family && currentOf(node)),
    }),
    alarm: worstOf(node.alarms),
    permissions: permissionsIn(caller, node.workspaceId),
  };
}

function currentOf(node: LinedNode): JsonObject {
  const { edges, shown, config } = node;
  const cls = nodeClass(node.class);
  const { stateId } = shown.current;
  const attribute = (name: string) => attributeOf(cls, config, name);
  return {
    currentValue: shownValue(edges.current, shown.current),
    currentTime: edges.current ? formatIsoMs(edges.current.ms) : null,
    currentStateId: stateId,
    currentState: statesOf(config).states.find(({ _id }) => _id === stateId)?.name ?? null,
    displayType: displayTypeOf(config),
    units: attribute('units'),
    format: attribute('format'),
  };
}

/** Returns the most urgent state of a node's alarms. */
function worstOf(alarms: Readonly<Record<string, StoredAlarm>>): 'ACTIVE' | 'ACKNOWLEDGED' | null {
  const states = Object.values(alarms).map(({ alarmState }) => alarmState);
  if (states.includes('ACTIVE')) return 'ACTIVE';
  return states.includes('ACKNOWLEDGED') ? 'ACKNOWLEDGED' : null;
}
