import { type ApiCaller, checkPermission } from '@catchment/access';
import { newObjectId } from '@catchment/ids';
import { UTC_ZONE } from '@catchment/time';
import type { StoreDeps } from '../../changes/index.ts';
import { nameKey } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { type ChangeAtNode, changeAtNode } from '../../nodes/index.ts';
import { viewersOf } from '../../notifications/index.ts';
import { DEFAULT_TIME_FORMAT } from '../../people/index.ts';
import { groupsAt } from '../../rights/index.ts';
import type { Configured } from '../domain/channel-name.ts';
import { evaluateText } from '../domain/evaluate-text.ts';
import { readMessage, type WrittenMessage } from '../domain/written-message.ts';
import { isReached, recipientsOf } from '../store/recipients-query.ts';
import { loadAbout, type NoticeDeps } from './load-notice.ts';
import type { Counts } from './ports.ts';
import { type Delivery, queueDeliveries } from './queue-deliveries.ts';
import { sentEvents, usersBy } from './sent-event.ts';

export type MessageDeps = StoreDeps & NoticeDeps & { readonly configured: Configured };

/**
 * `POST /nodes/:id/messages` (docs/reference/notifications.md#messages-by-hand) sends a message of the caller to people who may see the
 * node. A workspace user needs SEND_MESSAGE.
 * @returns to how many people it goes, by channel
 * @throws DomainError invalid_argument naming the attribute: nothing is sent then; not_found, permission_denied
 */
export async function sendMessage(
  counts: Counts,
  deps: MessageDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<{ emailUsers: number; smsUsers: number }> {
  const written = readMessage(body);
  const { message, subject, channels } = written;
  return changeAtNode(deps, caller, nodeRef, async (change) => {
    const { tx, node, nowMs, cause, send } = change;
    const { nodeId, ownerId } = node;
    checkPermission(caller, node.workspaceId, 'SEND_MESSAGE');
    const userIds = await namedPeople(change, written);
    const about = await loadAbout(
      { ...deps, database: tx },
      { ownerId, nodeId, stateName: '', timeMs: nowMs },
      message,
      0,
    );
    const { problem } = evaluateText(message, about, { zone: UTC_ZONE, timeFormat: DEFAULT_TIME_FORMAT }, nowMs);
    if (problem !== undefined) throw invalidAttribute('message', `cannot be evaluated: ${problem}`);
    const recipients = await recipientsOf(tx, [{ nodeId, categoryId: '', userIds }], nowMs);
    const { username } = cause;
    const due = { ownerId, nodeId, subject, customText: message, eventText: message, timeMs: nowMs, username };
    const messageId = newObjectId(nowMs);
    const wanted = recipients.flatMap((to) =>
      channels
        .filter((channel) => isReached(to, channel))
        .map((channel): Delivery => ({ channel, to, about: `${messageId}.0`, due })),
    );
    const { configured } = deps;
    const sendable = wanted.filter(({ channel }) => configured[channel]);
    const sent = await queueDeliveries(counts, tx, sendable, nowMs);
    send(sentEvents(node, { wanted, sent, configured }, cause, message));
    return { emailUsers: usersBy(sent, 'email'), smsUsers: usersBy(sent, 'sms') };
  });
}

/**
 * Returns ids of the users that a message names, and of those members of its groups who may see the node.
 * @throws DomainError invalid_argument
 */
async function namedPeople({ tx, place, node }: ChangeAtNode, { users, groups }: WrittenMessage): Promise<string[]> {
  const viewers = await viewersOf(tx, place, node.nodeId);
  const byName = new Map(viewers.flatMap(({ userId, email }) => [[userId, userId] as const, [email, userId] as const]));
  const known = await groupsAt(tx, place);
  const groupByName = new Map(
    known.flatMap((group) => [[group.groupId, group] as const, [nameKey(group.name), group] as const]),
  );
  const named = users.map((name, index) => {
    const userId = byName.get(name.trim().toLowerCase());
    if (userId === undefined) throw invalidAttribute(`users[${index}]`, 'must be a user who may see the node');
    return userId;
  });
  const members = groups.flatMap((name, index) => {
    const group = groupByName.get(nameKey(name.trim()));
    if (!group) throw invalidAttribute(`groups[${index}]`, 'must be the name or the id of a group of the account');
    return group.users.flatMap(({ userId }) => byName.get(userId) ?? []);
  });
  return [...new Set([...named, ...members])];
}
