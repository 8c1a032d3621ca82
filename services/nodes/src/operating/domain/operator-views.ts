import { revisionOf } from '@catchment/access';
import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeUsage } from '../../usage/index.ts';

type Sources = {
  readonly attachmentsource: number;
  readonly small: number;
  readonly medium: number;
  readonly large: number;
};

export type AnyAccount = Sources & {
  readonly owner_id: string;
  readonly slug: string;
  readonly account_name: string;
  readonly account_type: string;
  readonly status: string;
  readonly parent_owner_id: string | null;
  readonly created_ms: number;
  readonly source_limit: number | null;
  readonly sms_limit: number | null;
  readonly row_limit: number | null;
  readonly record_days: number | null;
  readonly event_days: number | null;
  readonly nodes: number;
  readonly attachment_bytes: number;
  readonly sms_count: number;
};

type Settings = Pick<
  AnyAccount,
  'account_name' | 'account_type' | 'status' | 'source_limit' | 'sms_limit' | 'row_limit' | 'record_days' | 'event_days'
>;

/** Makes a revision of what an operator may change; it does not depend on what an account uses. */
export const accountRevision = (settings: Settings): number =>
  revisionOf([
    settings.account_name,
    settings.account_type,
    settings.status,
    settings.source_limit,
    settings.sms_limit,
    settings.row_limit,
    settings.record_days,
    settings.event_days,
  ]);

export const accountView = (row: AnyAccount): JsonObject => ({
  _id: row.owner_id,
  slug: row.slug,
  accountName: row.account_name,
  accountType: row.account_type,
  status: row.status,
  ...(row.parent_owner_id !== null && { parentId: row.parent_owner_id }),
  createdTime: formatIsoMs(row.created_ms),
  nodes: row.nodes,
  sources: row.attachmentsource + row.small + row.medium + row.large,
  sourceUsage: nodeUsage(row),
  smsCount: row.sms_count,
  attachmentBytes: row.attachment_bytes,
  sourceLimit: row.source_limit,
  smsLimit: row.sms_limit,
  rowsPerSourcePerDay: row.row_limit,
  recordDays: row.record_days,
  eventDays: row.event_days,
  revision: accountRevision(row),
});

/** Its reader could not handle the message; times are Unix ms. */
type DeadLetter = {
  readonly number: number;
  readonly reader: string;
  readonly subject: string;
  readonly timeMs: number | undefined;
  readonly deadMs: number;
  readonly reason: string;
  readonly bytes: number;
};

export const deadLetterView = ({ number, reader, subject, timeMs, deadMs, reason, bytes }: DeadLetter): JsonObject => ({
  number,
  reader,
  subject,
  ...(timeMs !== undefined && { time: formatIsoMs(timeMs) }),
  deadTime: formatIsoMs(deadMs),
  reason,
  bytes,
});
