import { type ErrorKind, toDomainError } from '@catchment/errors';
import { type FileOutcome, IGNORED, type Processed } from '../../reading/index.ts';
import { type FileSource, shownName } from '../../sources/index.ts';

const TRIES_MAX = 5;
/** A file waits this long for what is away. */
const AGE_MAX_MS = 24 * 3_600_000;
const AWAY_SECONDS = 5;
const FAILED_SECONDS = 30;
/** Something that the file needs was away, so this counts as no try. */
const AWAY: ReadonlySet<ErrorKind> = new Set([
  'unavailable',
  'deadline_exceeded',
  'resource_exhausted',
  'cancelled',
  'conflict',
]);

export const isGivenUp = (file: { readonly tries: number; readonly arrivedMs: number }, nowMs: number): boolean =>
  file.tries > TRIES_MAX || nowMs - file.arrivedMs > AGE_MAX_MS;

/** Decides when a file that could not be processed is tried again, and whether that counts as one of its tries. */
export function nextTry(
  error: unknown,
  isStopped: boolean,
): { readonly counts: boolean; readonly waitSeconds: number } {
  if (isStopped) return { counts: false, waitSeconds: 0 };
  const isAway = AWAY.has(toDomainError(error).kind);
  return { counts: !isAway, waitSeconds: isAway ? AWAY_SECONDS : FAILED_SECONDS };
}

/** Every file that was taken ends with an event: records have one, imports too, and what was given up or ignored. */
export function endOf(
  { fileName, source }: { readonly fileName: string; readonly source: Pick<FileSource, 'importing'> },
  { refusal }: FileOutcome,
  events: Processed['events'],
): Processed['events'] {
  const isReported = source.importing !== undefined || events.some(({ level }) => level === 'ERROR');
  if (!refusal || isReported || refusal.reason === IGNORED) return [];
  return [{ level: 'WARNING', message: `${shownName(fileName)} could not be processed: ${refusal.message}` }];
}

export const givenUp = (fileName: string): Processed => {
  const message = `${shownName(fileName)} could not be processed`;
  return {
    outcome: { refusal: { kind: 'internal', reason: 'FILE_GIVEN_UP', message } },
    events: [{ level: 'ERROR', message }],
  };
};
