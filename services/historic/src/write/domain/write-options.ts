import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { argumentReader, type NOTIFY_ON, type WRITE_MODES, WRITING } from '@catchment/query';

const MODE_OF: Readonly<Record<(typeof WRITE_MODES)[number], WriteMode>> = {
  MERGE_OVERWRITE_EXISTING: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  MERGE_PRESERVE_EXISTING: WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING,
  MERGE_UPDATE_EXISTING: WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING,
  MERGE_FAIL_ON_EXISTING: WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING,
  INSERT_DELETE_EXISTING: WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING,
  INSERT_FAIL_ON_EXISTING: WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING,
  DELETE_RANGE: WriteMode.WRITE_MODE_DELETE_RANGE,
  DELETE: WriteMode.WRITE_MODE_DELETE,
  DISCARD: WriteMode.WRITE_MODE_DISCARD,
};
const NOTIFY_ON_OF: Readonly<Record<(typeof NOTIFY_ON)[number], NotifyOn>> = {
  LATEST_ONLY: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  ALL_NEWER: NotifyOn.NOTIFY_ON_ALL_NEWER,
  NONE: NotifyOn.NOTIFY_ON_NONE,
};

/**
 * Reads the argument `writeMode` (docs/reference/writing.md#write-modes) in any letter case; empty = the default.
 * @throws DomainError invalid_argument
 */
export const readWriteMode = (writeMode: string): WriteMode =>
  MODE_OF[argumentReader(WRITING, { writeMode })('writeMode')];

/**
 * Reads the argument `notifyOn` (docs/reference/writing.md#notifyon) in any letter case; empty = the default.
 * @throws DomainError invalid_argument
 */
export const readNotifyOn = (notifyOn: string): NotifyOn =>
  NOTIFY_ON_OF[argumentReader(WRITING, { notifyOn })('notifyOn')];
