import type { Queryable } from '@catchment/pg';
import type { PrincipalColumn } from '../../rights/index.ts';
import type { Preference } from '../domain/notification-preference.ts';
import type { CategoryUnsubscription, ReportUnsubscription } from '../domain/unsubscribe-links.ts';

/** Preferences belong to a workspace: all its nodes share them. */
export type InWorkspace = { readonly ownerId: string; readonly workspaceId: string };

/** Changes preferences and subscriptions, in the transaction of the change. */
export type NotificationStore = {
  /** Stores a person's preferences; those for neither are not kept. */
  savePreferences(tx: Queryable, place: InWorkspace, userId: string, preferences: readonly Preference[]): Promise<void>;
  /** @returns whose preference it was; undefined when there was nothing to switch off */
  switchOffEmail(
    tx: Queryable,
    asked: CategoryUnsubscription,
  ): Promise<{ readonly ownerId: string; readonly email: string } | undefined>;
  /** @returns those of `ids` who were not subscribed before */
  insertSubscriptions(
    tx: Queryable,
    ownerId: string,
    nodeId: string,
    column: PrincipalColumn,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** @returns those of `ids` who were subscribed */
  deleteSubscriptions(
    tx: Queryable,
    nodeId: string,
    column: PrincipalColumn,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** People who have stopped the mails of a report, and want them again. */
  resumeReports(tx: Queryable, nodeId: string, userIds: readonly string[]): Promise<void>;
  /**
   * Somebody gets no more mails of a report.
   * @returns undefined where the report or the person is gone, or had been stopped already
   */
  stopReport(tx: Queryable, asked: ReportUnsubscription): Promise<StoppedReport | undefined>;
};

type StoppedReport = {
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly class: string;
  readonly email: string;
};
