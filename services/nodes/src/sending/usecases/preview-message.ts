import { type ApiCaller, checkModify, checkPermission, scopeOf } from '@catchment/access';
import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { UTC_ZONE } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { findNode } from '../../nodes/index.ts';
import { DEFAULT_TIME_FORMAT } from '../../people/index.ts';
import { evaluateText } from '../domain/evaluate-text.ts';
import { readerOf } from '../domain/reader.ts';
import { readPreviewed } from '../domain/written-message.ts';
import { recipientsOf } from '../store/recipients-query.ts';
import { loadAbout, type NoticeDeps } from './load-notice.ts';

/**
 * `POST /nodes/:id/messages/preview` (docs/reference/notifications.md#previews): a text as its reader, the caller, would get it now. For those who may
 * write such texts: a workspace user needs EDIT_ALARMS or SEND_MESSAGE.
 * @returns the text, and why there is none
 * @throws DomainError invalid_argument naming the attribute, not_found, permission_denied
 */
export async function previewMessage(
  deps: NoticeDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
): Promise<JsonObject> {
  checkModify(caller);
  const { message, state } = readPreviewed(body);
  const { database } = deps;
  const { nodeId, ownerId, workspaceId } = await findNode(database, scopeOf(caller), nodeRef);
  checkPermission(caller, workspaceId, 'EDIT_ALARMS', 'SEND_MESSAGE');
  const nowMs = deps.now();
  const now = await loadAbout(deps, { ownerId, nodeId, stateName: '', timeMs: nowMs }, message, 0);
  const about = state === '' ? now : { ...now, stateName: state, timeMs: now.value?.record.ms ?? nowMs };
  const [self] = await recipientsOf(database, [{ nodeId, categoryId: '', userIds: [caller.userId] }], nowMs);
  const reader = self ? readerOf(self, nowMs) : { zone: UTC_ZONE, timeFormat: DEFAULT_TIME_FORMAT };
  const { text, problem } = evaluateText(message, about, reader, nowMs);
  return { text: [...text].slice(0, EVENT_MESSAGE_MAX).join(''), problem: problem ?? null };
}
