import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { readNotifyOn, readWriteMode } from './write-options.ts';

test.each([
  ['', WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING],
  ['merge_overwrite_existing', WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING],
  ['merge_preserve_existing', WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING],
  ['Merge_Update_Existing', WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING],
  ['MERGE_FAIL_ON_EXISTING', WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING],
  ['INSERT_DELETE_EXISTING', WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING],
  ['INSERT_FAIL_ON_EXISTING', WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING],
  ['DELETE_RANGE', WriteMode.WRITE_MODE_DELETE_RANGE],
  ['delete', WriteMode.WRITE_MODE_DELETE],
  ['Discard', WriteMode.WRITE_MODE_DISCARD],
])('writeMode "%s"', (text, mode) => {
  expect(readWriteMode(text)).toBe(mode);
});

test.each([
  ['', NotifyOn.NOTIFY_ON_LATEST_ONLY],
  ['all_newer', NotifyOn.NOTIFY_ON_ALL_NEWER],
  ['NONE', NotifyOn.NOTIFY_ON_NONE],
])('notifyOn "%s"', (text, notifyOn) => {
  expect(readNotifyOn(text)).toBe(notifyOn);
});

test.each(['OVERWRITE', 'constructor', ' DELETE', '__proto__'])('writeMode "%s" is refused', (text) => {
  expect(() => readWriteMode(text)).toThrow(/^writeMode: must be one of MERGE_OVERWRITE_EXISTING, /);
});

test('notifyOn is refused by its name', () => {
  expect(() => readNotifyOn('SOME')).toThrow('notifyOn: must be one of LATEST_ONLY, ALL_NEWER, NONE');
});
