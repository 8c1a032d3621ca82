import type { ReportDue } from '@catchment/contracts/nodes-messages';
import type { MailSender } from '@catchment/mail';
import { appendOutbox } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { effectiveZone, formatIsoMs } from '@catchment/time';
import { readOwner } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf, type StoredNode } from '../../domain/classes/node.ts';
import { type FileDeps, readKeptFile } from '../../files/index.ts';
import { nodeConfigs, nodesById } from '../../nodes/index.ts';
import type { UnsubscribeLinks } from '../../notifications/index.ts';
import {
  isTaken,
  mailFailureOf,
  NOT_CONFIGURED,
  pageOfNode,
  type Recipient,
  recipientsOf,
  tryToSend,
  unsubscribeHeaders,
  whyOf,
} from '../../sending/index.ts';
import { fileOfRun } from '../store/runs-query.ts';
import type { Runs } from './ports.ts';
import { reportEvent } from './report-event.ts';
import { reportMail } from './report-mail.ts';

export type MailReportDeps = Pick<FileDeps, 'database' | 'objects' | 'now'> & {
  readonly names: ClassNames;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** Addresses of pages begin with this, without a slash at the end. */
  readonly appUrl: string;
  /** undefined = no mail server is configured. */
  readonly mailSender: MailSender | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

const PDF = 'application/pdf';

/**
 * Tries once to mail a report to a person. The recipient is looked up now: whoever is no longer subscribed, or may not
 * see the report any more, gets nothing. It is sent twice only when the process dies between the answer of the mail
 * server and the note of it.
 * @param ageMs since it was asked for
 * @throws RetryAfter when it is to be tried again
 */
export async function mailReport(runs: Runs, deps: MailReportDeps, due: ReportDue, ageMs: number): Promise<void> {
  const { database, mailSender, log, now } = deps;
  const { deliveryId, ownerId, nodeId, userId } = due;
  if (await isTaken(database, sentIdOf(due))) return;
  const recipients = await recipientsOf(database, [{ nodeId, categoryId: '', isReport: true }], now());
  const recipient = recipients.find((recipient) => recipient.userId === userId);
  const [node] = await nodesById(database, ownerId, [nodeId]);
  if (!recipient || !node) {
    log.info({ deliveryId }, 'report is not needed any more');
    return end(runs, deps, due, 'not subscribed any more, or the report may not be seen any more');
  }
  const endUnsent = (why: string) =>
    end(runs, deps, due, why, { node, level: 'WARNING', message: `Report not sent to ${recipient.email}: ${why}` });
  if (!mailSender) {
    log.info({ deliveryId }, 'report not sent: no mail server is configured');
    return endUnsent(NOT_CONFIGURED.email);
  }
  const bytes = await pdfOf(deps, due);
  if (!bytes) return endUnsent('its PDF is kept no longer');
  const content = await contentOf(deps, due, node, recipient);
  const attachments = [{ fileName: `${node.name}.pdf`, contentType: PDF, bytes }];
  const mail = { ...content, attachments, mailId: deliveryId, recipient: recipient.email };
  const facts = await tryToSend('mail', () => mailSender.send(mail), mailFailureOf, ageMs);
  if (facts) log.warn({ deliveryId, ...facts }, 'report failed to be sent');
  else log.info({ deliveryId, ageMs }, 'report sent');
  if (facts) return endUnsent(whyOf(facts));
  await end(runs, deps, due, null, { node, level: 'DEBUG', message: `Sent report to ${recipient.email}` });
}

const sentIdOf = ({ deliveryId }: ReportDue): string => `${deliveryId} sent`;

async function pdfOf(deps: MailReportDeps, { nodeId, timeMs: dueMs }: ReportDue): Promise<Buffer | undefined> {
  const fileId = await fileOfRun(deps.database, { nodeId, dueMs });
  return fileId === undefined ? undefined : readKeptFile(deps, fileId);
}

async function contentOf(
  { database, names, unsubscribeLinks, appUrl, now }: MailReportDeps,
  { ownerId, nodeId, userId, timeMs }: ReportDue,
  { name, config }: StoredNode,
  { firstName, timeFormat }: Recipient,
) {
  const cls = nodeClass('Report');
  const zoneName = attributeOf(cls, config, 'timezone') as string;
  const zone = effectiveZone(zoneName, attributeOf(cls, config, 'timezoneAdjustForDst') as boolean, now());
  const { account_name: accountName, slug } = await readOwner(database, ownerId);
  const path = (await nodeConfigs(database, [nodeId], names)).get(nodeId)?.path ?? name;
  const url = `${pageOfNode(appUrl, slug, nodeId, 'report')}?nowTime=${encodeURIComponent(formatIsoMs(timeMs))}`;
  const stopUrl = unsubscribeLinks.urlOf({ userId, reportId: nodeId });
  const content = reportMail({ accountName, name, path, timeMs, zone, firstName, timeFormat, url, stopUrl });
  return { ...content, headers: unsubscribeHeaders(stopUrl) };
}

/** The event log shows what has become of a mail. */
type Outcome = { readonly node: StoredNode; readonly level: 'DEBUG' | 'WARNING'; readonly message: string };

/** The mail was sent, or never will be, once; after the last one of a run its PDF is needed no longer. @param problem null = it was sent */
async function end(
  { closeMail, releaseFile, takeEvents }: Runs,
  { database, now }: MailReportDeps,
  due: ReportDue,
  problem: string | null,
  outcome?: Outcome,
): Promise<void> {
  const { nodeId, timeMs: dueMs, userId } = due;
  await database.transaction(async (tx) => {
    const nowMs = now();
    if ((await takeEvents(tx, [sentIdOf(due)], nowMs)).size === 0) return;
    const fileId = await closeMail(tx, { nodeId, dueMs, userId }, problem);
    if (fileId !== undefined) await releaseFile(tx, fileId, nowMs);
    if (outcome) await appendOutbox(tx, [reportEvent(outcome.node, outcome.level, outcome.message, nowMs)]);
  });
}
