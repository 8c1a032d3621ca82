import { type ApiCaller, checkPermission, type Permission } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { invalid } from '@catchment/errors';
import { textProblem } from '@catchment/ids';
import type { NodeCall, VisibleNodes } from '@catchment/node-replica';
import type { AlarmType } from '@catchment/query';
import { type AlarmTrigger, changeAlarm } from '../domain/alarm.ts';
import { alarmWord, chosenAlarmTypes, parseAlarmTypes } from '../domain/alarm-types.ts';
import type { NewEvent, NodeAlarm } from '../domain/changes.ts';
import { type Node, toNode } from '../domain/node.ts';
import type { AlarmStore } from './ports.ts';

export type AlarmDeps = {
  readonly store: AlarmStore;
  readonly nodes: Pick<VisibleNodes, 'resolve'> & {
    /** Returns those of the nodes that the caller may see, in no order. @throws DomainError unavailable */
    seen(nodeRefs: readonly string[], call: NodeCall): Promise<readonly NodeConfig[]>;
  };
  readonly now: () => number;
};

/** A person or program requests this (docs/reference/alarms.md#acknowledge-and-clear). */
type AlarmCommand = {
  readonly nodeRef: string;
  /** Raw argument; empty = all that the node has. */
  readonly alarmTypes: string;
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
};

const COMMENT_MAX_CHARACTERS = 500;

/** An action of somebody on alarms has a permission that it needs, an effect, and a text for the event. */
type Change = {
  readonly needs: Permission;
  readonly trigger: AlarmTrigger;
  readonly text: (type: AlarmType) => string;
};

/**
 * Acknowledges the ACTIVE alarms of a node; none: nothing happens.
 * @param comment empty = none
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export const acknowledgeAlarms = async (deps: AlarmDeps, command: AlarmCommand, comment: string): Promise<void> =>
  change(deps, command, acknowledgement(command.caller, deps.now(), comment));

/**
 * Clears the ACTIVE and ACKNOWLEDGED alarms of a node; none: nothing happens.
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export const clearAlarms = (deps: AlarmDeps, command: AlarmCommand): Promise<void> => change(deps, command, CLEAR);

/** @throws DomainError invalid_argument */
export function acknowledgement({ username }: ApiCaller, timeMs: number, comment: string): Change {
  if ([...comment].length > COMMENT_MAX_CHARACTERS) {
    throw invalid('INVALID_COMMENT', `comment: must have at most ${COMMENT_MAX_CHARACTERS} characters`);
  }
  const problem = textProblem(comment);
  if (problem) throw invalid('INVALID_COMMENT', `comment: ${problem}`);
  const withComment = comment === '' ? '' : ` with comment '${comment}'`;
  return {
    needs: 'ACKNOWLEDGE_ALARMS',
    trigger: { kind: 'acknowledge', timeMs, username, comment: comment || null },
    text: (type) => `Acknowledged alarm '${alarmWord(type)}'${withComment}`,
  };
}

export const clearedText = (type: AlarmType): string => `Cleared alarm '${alarmWord(type)}'`;
export const CLEAR: Change = { needs: 'EDIT_ALARMS', trigger: { kind: 'clear', byHand: true }, text: clearedText };

async function change(deps: AlarmDeps, command: AlarmCommand, how: Change): Promise<void> {
  const asked = parseAlarmTypes(command.alarmTypes);
  const node = toNode(await deps.nodes.resolve(command.nodeRef, command));
  checkPermission(command.caller, node.workspaceId, how.needs);
  const types = chosenAlarmTypes(asked, node.nodeClass);
  await changeStored(deps, command.caller, how, new Map([[node.nodeId, { node, types }]]));
}

/** @param chosen by node */
export async function changeStored(
  { store, now }: Pick<AlarmDeps, 'store' | 'now'>,
  { username }: ApiCaller,
  { trigger, text }: Change,
  chosen: ReadonlyMap<string, { readonly node: Node; readonly types: readonly AlarmType[] }>,
): Promise<void> {
  const timeMs = now();
  const allTypes = [...new Set([...chosen.values()].flatMap(({ types }) => types))].sort();
  await store.transaction(async (tx) => {
    const alarms: NodeAlarm[] = [];
    const events: NewEvent[] = [];
    for (const { nodeId, type, alarm: before } of await tx.alarms([...chosen.keys()], allTypes)) {
      const { node, types } = chosen.get(nodeId) ?? {};
      if (!node || !types?.includes(type)) continue;
      const { alarm, eventState } = changeAlarm(before, trigger);
      if (eventState === 'NONE') continue;
      alarms.push({ node, type, alarm });
      const about = { node, alarmState: eventState, alarmType: type, timeMs, username, message: text(type) };
      events.push({ ...about, level: 'INFO', eventType: 'CONFIGURATION' });
    }
    if (alarms.length > 0) await tx.save({ alarms, events });
  });
}
