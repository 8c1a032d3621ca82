import { type ApiCaller, checkPermission, type Permission } from '@catchment/access';
import { invalid } from '@catchment/errors';
import { textProblem } from '@catchment/ids';
import type { VisibleNodes } from '@catchment/node-replica';
import type { AlarmType } from '@catchment/query';
import { type AlarmTrigger, changeAlarm } from '../domain/alarm.ts';
import { alarmWord, chosenAlarmTypes, parseAlarmTypes } from '../domain/alarm-types.ts';
import { toNode } from '../domain/node.ts';
import type { AlarmStore, NewEvent, NodeAlarm } from './ports.ts';

export type AlarmDeps = {
  readonly store: AlarmStore;
  readonly nodes: Pick<VisibleNodes, 'resolve'>;
  readonly now: () => number;
};

/** A request of a person or program (docs/reference/alarms.md#acknowledge-and-clear). */
export type AlarmCommand = {
  readonly nodeRef: string;
  /** Raw argument; empty = all that the node has. */
  readonly alarmTypes: string;
  readonly caller: ApiCaller;
  readonly token: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
};

const COMMENT_MAX_CHARACTERS = 500;

/**
 * Acknowledges the ACTIVE alarms of a node; none: nothing happens.
 * @param comment empty = none
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function acknowledgeAlarms(deps: AlarmDeps, command: AlarmCommand, comment: string): Promise<void> {
  if ([...comment].length > COMMENT_MAX_CHARACTERS) {
    throw invalid('INVALID_COMMENT', `comment: must have at most ${COMMENT_MAX_CHARACTERS} characters`);
  }
  const problem = textProblem(comment);
  if (problem) throw invalid('INVALID_COMMENT', `comment: ${problem}`);
  const { username } = command.caller;
  const withComment = comment === '' ? '' : ` with comment '${comment}'`;
  await change(deps, command, {
    needs: 'ACKNOWLEDGE_ALARMS',
    trigger: (timeMs) => ({ kind: 'acknowledge', timeMs, username, comment: comment || null }),
    text: (type) => `Acknowledged alarm '${alarmWord(type)}'${withComment}`,
  });
}

/**
 * Clears the ACTIVE and ACKNOWLEDGED alarms of a node; none: nothing happens.
 * @throws DomainError invalid_argument | not_found | permission_denied
 */
export async function clearAlarms(deps: AlarmDeps, command: AlarmCommand): Promise<void> {
  await change(deps, command, {
    needs: 'EDIT_ALARMS',
    trigger: () => ({ kind: 'clear', byHand: true }),
    text: clearedText,
  });
}

export const clearedText = (type: AlarmType): string => `Cleared alarm '${alarmWord(type)}'`;

async function change(
  deps: AlarmDeps,
  command: AlarmCommand,
  how: { needs: Permission; trigger: (timeMs: number) => AlarmTrigger; text: (type: AlarmType) => string },
): Promise<void> {
  const asked = parseAlarmTypes(command.alarmTypes);
  const node = toNode(await deps.nodes.resolve(command.nodeRef, command));
  checkPermission(command.caller, node.workspaceId, how.needs);
  const types = chosenAlarmTypes(asked, node.nodeClass);
  const timeMs = deps.now();
  await deps.store.transaction(async (tx) => {
    const alarms: NodeAlarm[] = [];
    const events: NewEvent[] = [];
    for (const { type, alarm: before } of await tx.alarms([node.nodeId], types)) {
      const { alarm, eventState } = changeAlarm(before, how.trigger(timeMs));
      if (eventState === 'NONE') continue;
      alarms.push({ node, type, alarm });
      events.push({
        node,
        level: 'INFO',
        eventType: 'CONFIGURATION',
        alarmState: eventState,
        alarmType: type,
        timeMs,
        username: command.caller.username,
        message: how.text(type),
      });
    }
    if (alarms.length > 0) await tx.save({ alarms, events });
  });
}
