import { RetryAfter } from '@catchment/bus';
import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { DomainError } from '@catchment/errors';
import { hasExpressions, MESSAGE_WORK, parseExpressions } from '@catchment/expressions';
import { failureOf, layOut, type MailContent, MailRefused, type MailSender } from '@catchment/mail';
import { appendOutbox } from '@catchment/pg';
import { DEFAULT_QUALITY } from '@catchment/quality';
import type { Logger } from '@catchment/telemetry';
import { formatIsoMs } from '@catchment/time';
import { eventRecorded, readOwner, type StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, transformOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { lineOf, nodeConfigs } from '../../nodes/index.ts';
import type { UnsubscribeLinks } from '../../notifications/index.ts';
import type { SeriesRecord } from '../../values/index.ts';
import { nodeView, shownValue, type ViewedNode, viewedNode } from '../../views/index.ts';
import { nodeObject } from '../domain/node-object.ts';
import { type Notice, noticeText } from '../domain/notice-text.ts';
import { type Reader, readerOf } from '../domain/reader.ts';
import { NO_STATE } from '../domain/transition.ts';
import { untilNextTry } from '../domain/tries.ts';
import { valueText } from '../domain/value-text.ts';
import { type Recipient, recipientsOf } from '../store/pg-recipients.ts';
import { takeEvents } from '../store/pg-sent.ts';

export type SendDeps = StoreDeps & {
  readonly names: ClassNames;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** undefined = no mail server is configured: what would be sent is logged. */
  readonly sender: MailSender | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** What links to nodes begin with, without a slash at the end. */
  readonly baseUrl: string;
};

/** The record of a transition may reach the nodes after the news of it; so long it is waited for. */
const VALUE_WAIT_MS = 5_000;
const VALUE_LOOK_MS = 500;

/**
 * One try to send a notification. Who gets it is looked up now: whoever may not hear of it any more gets nothing.
 * @param ageMs since it was asked for
 * @throws RetryAfter when it is to be tried again
 */
export async function sendEmail(deps: SendDeps, due: NotificationDue, ageMs: number): Promise<void> {
  const { database, sender, log } = deps;
  const { deliveryId, nodeId, userId } = due;
  const recipients = await recipientsOf(database, [due], deps.now());
  const recipient = recipients.find((one) => one.userId === userId && one.byEmail);
  if (!recipient) return log.info({ deliveryId }, 'notification is not needed any more');
  const content = await contentOf(deps, due, recipient, ageMs);
  if (!sender)
    return log.info({ deliveryId, nodeId }, 'notification not sent: no mail server is configured (SMTP_URL)');
  try {
    const headers = unsubscribeHeaders(deps, due, recipient);
    await sender.send({ ...content, mailId: deliveryId, recipient: recipient.email, headers });
    log.info({ deliveryId, ageMs }, 'notification sent');
  } catch (error) {
    const failure = failureOf(error);
    const waitMs = error instanceof MailRefused ? undefined : untilNextTry(ageMs);
    if (waitMs !== undefined) throw new RetryAfter(waitMs, { cause: error });
    log.warn({ deliveryId, ...failure }, 'notification failed');
    const why = Object.values(failure).join(' ');
    await warn(deps, due, deliveryId, `Notification not sent to ${recipient.email} by email: ${why}`);
  }
}

/** Programs for mail show a button, which stops the mails by one request (RFC 8058). */
const unsubscribeHeaders = (
  { unsubscribeLinks }: SendDeps,
  { categoryId }: NotificationDue,
  { userId, workspaceId }: Recipient,
): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${unsubscribeLinks.urlOf({ userId, workspaceId, categoryId })}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** A WARNING event, once for what it is about. */
async function warn({ database, now }: SendDeps, due: NotificationDue, about: string, message: string): Promise<void> {
  const { class: nodeClass, workspaceId } = await viewedNode(database, due.nodeId);
  await database.transaction(async (tx) => {
    const timeMs = now();
    const isNew = (await takeEvents(tx, [`${about} failed`], timeMs)).size > 0;
    if (!isNew) return;
    const { ownerId, nodeId } = due;
    const event = { nodeId, workspaceId, nodeClass, timeMs, username: 'System', message } as const;
    await appendOutbox(tx, [eventRecorded(ownerId, { ...event, level: 'WARNING', eventType: 'NOTIFICATION' })]);
  });
}

async function contentOf(
  deps: SendDeps,
  due: NotificationDue,
  recipient: Recipient,
  ageMs: number,
): Promise<MailContent> {
  const { database, names, baseUrl } = deps;
  const node = await viewedNode(database, due.nodeId);
  const record = recordOf(node, due, ageMs);
  const reader = readerOf(recipient, deps.now());
  const owner = await readOwner(database, due.ownerId);
  const config = (await nodeConfigs(database, [node.nodeId], names)).get(node.nodeId);
  const codes = owner.quality?.codes ?? DEFAULT_QUALITY.codes;
  const notice: Notice = {
    accountName: owner.account_name,
    nodeName: node.name,
    path: config?.path ?? node.name,
    timeMs: due.timeMs,
    value: record ? valueText(record.value, formatOf(node), reader) : '',
    units: config?.series?.units ?? '',
    stateName: due.stateName,
    quality: codes.find(({ code }) => code === record?.quality)?.name ?? String(record?.quality ?? ''),
    categoryName: owner.categories.find(({ _id }) => _id === due.categoryId)?.name ?? '',
    eventText: due.eventText,
  };
  const custom = await customText(deps, due, { node, record, reader });
  const { subject, text, facts } = noticeText(notice, custom, reader);
  return layOut({
    subject,
    greeting: recipient.firstName === '' ? 'Hello,' : `Hello ${recipient.firstName},`,
    paragraphs: [text],
    facts,
    action: { label: 'Open the node', url: `${baseUrl}/api/v1/nodes/${node.nodeId}`, note: '' },
    footer: `You get this mail because you are subscribed to notifications of ${node.name}. To stop mails of the category ${notice.categoryName}: ${deps.unsubscribeLinks.urlOf({ ...recipient, categoryId: due.categoryId })}`,
  });
}

const formatOf = ({ class: name, config }: ViewedNode) => ({
  ...transformOf(config),
  format: String(attributeOf(nodeClass(name), config, 'format') ?? ''),
});

/**
 * The record that a notification is about: of a state the one that has brought it, else the current one.
 * @throws RetryAfter while it is not there yet
 */
function recordOf(node: ViewedNode, { stateName, timeMs }: NotificationDue, ageMs: number): SeriesRecord | null {
  const { current, previous } = node.edges;
  if (stateName === '') return current;
  const record = [current, previous].find((one) => one?.ms === timeMs) ?? null;
  const mayStillCome = !record && (current === null || current.ms < timeMs) && ageMs < VALUE_WAIT_MS;
  if (mayStillCome) throw new RetryAfter(VALUE_LOOK_MS);
  return record;
}

/** The custom text with its expressions evaluated; empty where there is none, or where it cannot be evaluated. */
async function customText(
  deps: SendDeps,
  due: NotificationDue,
  about: { readonly node: ViewedNode; readonly record: SeriesRecord | null; readonly reader: Reader },
): Promise<string> {
  if (!hasExpressions(due.customText)) return due.customText;
  const { timeMs } = due;
  try {
    const objects = { NOW: formatIsoMs(timeMs), ...(await objectsOf(deps, due, about)) };
    const { zone } = about.reader;
    return parseExpressions(due.customText).render(objects, { nowMs: timeMs, zone, work: MESSAGE_WORK });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
    // The same for each person.
    const notification = due.deliveryId.slice(0, due.deliveryId.lastIndexOf('.'));
    await warn(deps, due, notification, `Expression cannot be evaluated: ${error.message}`);
    return '';
  }
}

type Objects = Readonly<Record<'THIS' | 'SOURCE' | 'LOCATION' | 'WORKSPACE', unknown>>;

/** The node as it was at the transition, and the nearest ones above it, itself included (docs/reference/expressions.md#objects). */
async function objectsOf(
  { database, names, now }: SendDeps,
  { stateName, timeMs }: NotificationDue,
  {
    node,
    record,
    reader,
  }: { readonly node: ViewedNode; readonly record: SeriesRecord | null; readonly reader: Reader },
): Promise<Objects> {
  const line = (await lineOf(database, node.nodeId)).reverse();
  const paths = await nodeConfigs(
    database,
    line.map(({ nodeId }) => nodeId),
    names,
  );
  const objectOf = async (nodeId: string | undefined) => {
    if (nodeId === undefined) return null;
    const isThis = nodeId === node.nodeId;
    const viewed = isThis ? node : await viewedNode(database, nodeId);
    const shown = isThis ? record : viewed.edges.current;
    const currentValueFormatted = shown ? valueText(shown.value, formatOf(viewed), reader) : '';
    const view = nodeView(viewed, names, now(), () => undefined);
    return nodeObject(view, { path: paths.get(nodeId)?.path ?? '', currentValueFormatted });
  };
  const nearest = (isIt: (name: string) => boolean) => line.find((one) => isIt(one.class))?.nodeId;
  const current = await objectOf(node.nodeId);
  return {
    // Newer records may have come since.
    THIS:
      stateName === ''
        ? current
        : {
            ...current,
            currentStateName: stateName === NO_STATE ? null : stateName,
            currentTime: formatIsoMs(timeMs),
            currentValue: record ? shownValue(record.value, transformOf(node.config)) : null,
            currentQuality: record?.quality ?? null,
          },
    SOURCE: await objectOf(nearest((name) => isSource(nodeClass(name)))),
    LOCATION: await objectOf(nearest((name) => nodeClass(name).kind === 'location')),
    WORKSPACE: await objectOf(nearest((name) => nodeClass(name).kind === 'workspace')),
  };
}
