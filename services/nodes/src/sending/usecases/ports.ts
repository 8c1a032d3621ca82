import type { AlarmTextDue } from '@catchment/contracts/nodes-messages';
import type { Queryable } from '@catchment/pg';
import type { OwnerRevisions } from '../../changes/index.ts';
import type { ChannelName } from '../domain/channel-name.ts';
import type { SmsAccount } from '../domain/sms-limit.ts';

/** Notes what was sent or asked for, so that nothing is so twice. */
export type SentNotes = {
  /** @returns those of the events whose notifications nobody has asked for yet; from now on somebody has */
  takeEvents(tx: Queryable, eventIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>>;
};

/** Counts messages to people in an hour. */
export type MessageCounts = {
  /**
   * @param counts by user id
   * @returns what has been counted for each in this hour, these included
   */
  countMessages(
    tx: Queryable,
    channel: ChannelName,
    hourMs: number,
    counts: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, number>>;
};

/** A mail to the owner names these facts of the account. */
export type FamilyAccount = SmsAccount & {
  readonly accountName: string;
  readonly email: string;
  readonly firstName: string;
};

/** Counts SMS of accounts in a month. */
export type SmsUsage = {
  /**
   * Locks the accounts with those that manage them or have the same manager, each family in one list, the manager first. Other
   * transactions about them wait for this one.
   */
  lockFamilies(tx: Queryable, ownerIds: readonly string[], monthMs: number): Promise<FamilyAccount[][]>;
  /** Stores what is counted of locked accounts, and what their owners have been notified of. */
  saveCounts(tx: Queryable, monthMs: number, accounts: readonly SmsAccount[]): Promise<void>;
  /** Takes one off that will not be sent. */
  uncountSms(tx: Queryable, ownerId: string, monthMs: number): Promise<void>;
};

/** Limits are about these counts. */
export type Counts = MessageCounts & SmsUsage;

/** Keeps the evaluated messages of alarms. */
export type AlarmTexts = SentNotes &
  OwnerRevisions & {
    /** @returns false when the alarm is another one since */
    saveText(tx: Queryable, due: AlarmTextDue, text: string): Promise<boolean>;
  };
