import type { QualitySettings } from '@catchment/quality';

/** A notification category (docs/reference/notifications.md#subscriptions-and-preferences). */
export type Category = { readonly _id: string; readonly name: string; readonly index: number };

export type Owner = {
  readonly owner_id: string;
  readonly account_name: string;
  readonly account_type: string;
  readonly slug: string;
  readonly status: string;
  readonly categories: readonly Category[];
  /** null = the defaults. */
  readonly quality: QualitySettings | null;
  readonly parent_owner_id: string | null;
  readonly source_limit: number | null;
  readonly sms_limit: number | null;
  /** A data source may have this many rows a day; null = as the installation has it. */
  readonly row_limit: number | null;
  /** Days that records, and events, are kept; 0 = for ever, null = as the installation has it. */
  readonly record_days: number | null;
  readonly event_days: number | null;
  readonly created_ms: number;
};
