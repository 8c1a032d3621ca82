import { DomainError } from '@catchment/errors';
import { invalidAttribute } from '../../domain/body/rule.ts';

/** An attachment source takes this many files in a UTC day (docs/reference/writing.md#daily-limits). */
const FILES_PER_DAY = 150;

/**
 * Checks the type of a file by its name.
 * @param types extensions that the source takes, without the dot; none = all
 * @throws DomainError invalid_argument
 */
export function checkType(types: readonly string[], fileName: string): void {
  const extension = fileName.toLowerCase().split('.').slice(1).at(-1);
  if (types.length > 0 && !types.some((type) => type.toLowerCase() === extension))
    throw invalidAttribute('file', `must be of a type that the source takes: ${types.join(', ')}`);
}

/** @param files of the source on the day, with this one @throws DomainError resource_exhausted */
export function checkFilesOfDay(files: number): void {
  if (files > FILES_PER_DAY)
    throw new DomainError('resource_exhausted', 'DAILY_LIMIT', `At most ${FILES_PER_DAY} files of a source in a day`);
}

type Attachment = { readonly nodeId: string; readonly createdMs: number; readonly instanceId: string | null };

/** Returns the attachments that go because a source keeps `most`: the oldest ones. What a template gives stays, and does not count. */
export function oldestOver<T extends Attachment>(attachments: readonly T[], most: number): T[] {
  return attachments
    .filter(({ instanceId }) => instanceId === null)
    .sort((a, b) => b.createdMs - a.createdMs || (a.nodeId < b.nodeId ? 1 : -1))
    .slice(most);
}
