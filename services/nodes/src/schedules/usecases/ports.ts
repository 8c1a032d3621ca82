import type { Queryable } from '@catchment/pg';
import type { Tick } from '../domain/tick.ts';

/** This process has taken the report, which is to be made for a due time. */
export type Run = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly dueMs: number;
  /** 1 = the first one. */
  readonly attempt: number;
};

/** Names a run. */
export type RunKey = Pick<Run, 'nodeId' | 'dueMs'>;

/** A run has ended with the PDF, or with a reason why there is none. */
export type RunEnd = { readonly fileId: string } | { readonly problem: string };

/** Gets a mail with the PDF of a run. */
export type Addressee = { readonly userId: string; readonly email: string };

/** Runs and mails of reports. */
export type Runs = {
  /** @returns those of the mails that nobody has noted as sent yet; from now on somebody has */
  takeEvents(tx: Queryable, eventIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>>;
  /** The PDF of a run is needed no longer. */
  releaseFile(tx: Queryable, fileId: string, nowMs: number): Promise<void>;
  /**
   * Takes a run that waits. Nobody else takes it before `leaseMs` have passed: a replica that dies with one in hand leaves it for another.
   * Accounts take turns; of one account the run that has waited longest comes first.
   */
  claimRun(on: Queryable, nowMs: number, leaseMs: number): Promise<Run | undefined>;
  /** The run in hand is left to whoever takes it next; this attempt does not count. */
  giveBackRun(on: Queryable, run: Run): Promise<void>;
  /** @returns false: another process has taken the run meanwhile, and goes on with it */
  endRun(tx: Queryable, run: Run, end: RunEnd): Promise<boolean>;
  /** Mails with the PDF of a run are asked for. */
  openMails(tx: Queryable, run: RunKey, to: readonly Addressee[]): Promise<void>;
  /** A mail of a run was sent, or given up with a problem. @returns the PDF, if that was the last one */
  closeMail(
    tx: Queryable,
    mail: RunKey & { readonly userId: string },
    problem: string | null,
  ): Promise<string | undefined>;
  /** Stores a run that somebody asks for. */
  askForRun(tx: Queryable, run: RunKey & { readonly ownerId: string; readonly askedBy: string }): Promise<void>;
};

/** Due times of this report were looked at. */
export type TakenReport = Tick & { readonly nodeId: string; readonly ownerId: string };

/** Stores when reports are due next, and the runs of those that are due now. */
export type SaveTicks = (tx: Queryable, taken: readonly TakenReport[]) => Promise<void>;
