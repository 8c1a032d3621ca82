import type { ApiCaller } from '@catchment/access';
import type { Export, ExportPlan } from '../domain/export.ts';

type ExportUser = Pick<ApiCaller, 'ownerId' | 'userId'>;

/** This export is to be made next. */
export type ClaimedExport = {
  readonly exportId: string;
  readonly plan: ExportPlan;
  readonly caller: ApiCaller;
  /** The export was begun this many times, this time included. A time does not count if something that the export needs was away. */
  readonly tries: number;
};

/** Keeps exports and their files. Exports whose time is over are shown no more. */
export type Exports = {
  count(ownerId: string): Promise<number>;
  insert(of: { exportId: string; caller: ApiCaller; plan: ExportPlan }): Promise<void>;
  /** Newest first. */
  list(user: ExportUser): Promise<Export[]>;
  find(user: ExportUser, exportId: string): Promise<Export | undefined>;
  /** @returns whether there was one */
  remove(user: ExportUser, exportId: string): Promise<boolean>;
  /** undefined: there is no further one. */
  readSegment(exportId: string, segment: number): Promise<Uint8Array | undefined>;

  /** @param leaseId of whoever takes it, never used twice */
  claim(leaseId: string): Promise<ClaimedExport | undefined>;
  /** @throws DomainError cancelled when the export is another's, or gone; so do `progress` and `complete` */
  saveSegment(exportId: string, leaseId: string, of: { segment: number; bytes: Uint8Array }): Promise<void>;
  progress(exportId: string, leaseId: string, done: { seriesDone: number; records: number }): Promise<void>;
  complete(exportId: string, leaseId: string, sizeBytes: number): Promise<void>;
  /** The export has failed, and is not tried again. */
  fail(exportId: string, leaseId: string, failure: string): Promise<void>;
  /** @param of.counts whether this was a try: nothing that it needed was away */
  release(exportId: string, leaseId: string, of: { counts: boolean; waitSeconds: number }): Promise<void>;
  sweep(): Promise<void>;
};
