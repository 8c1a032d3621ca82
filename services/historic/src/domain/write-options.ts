import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { invalid } from '@catchment/errors';

const WRITE_MODES: Readonly<Record<string, WriteMode>> = {
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
const NOTIFY_ON: Readonly<Record<string, NotifyOn>> = {
  LATEST_ONLY: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  ALL_NEWER: NotifyOn.NOTIFY_ON_ALL_NEWER,
  NONE: NotifyOn.NOTIFY_ON_NONE,
};

/**
 * Argument `writeMode` (docs/reference/writing.md#write-modes), any letter case; empty = the default.
 * @throws DomainError invalid_argument
 */
export const readWriteMode = (text: string): WriteMode =>
  pick('writeMode', text || 'MERGE_OVERWRITE_EXISTING', WRITE_MODES);

/** Argument `notifyOn` (docs/reference/writing.md#notifyon), any letter case; empty = the default. @throws DomainError invalid_argument */
export const readNotifyOn = (text: string): NotifyOn => pick('notifyOn', text || 'LATEST_ONLY', NOTIFY_ON);

function pick<T>(argument: string, text: string, choices: Readonly<Record<string, T>>): T {
  const name = text.toUpperCase();
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (choice !== undefined) return choice;
  throw invalid('INVALID_ARGUMENT', `${argument}: must be one of ${Object.keys(choices).join(', ')}`);
}
