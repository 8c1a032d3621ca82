import { CatchmentError } from '@catchment/client';

/** The server refuses it, and will as long as it is asked in this way. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof CatchmentError && error.status !== undefined && error.status < 500;

/** The person may not do it. */
export const isForbidden = (error: unknown): boolean => error instanceof CatchmentError && error.kind === 'permission';

/** Somebody else has changed the same meanwhile (docs/reference/requests-and-errors.md#changes-by-revision, docs/reference/writing.md#was). */
export const isOvertaken = (error: unknown): boolean => error instanceof CatchmentError && error.status === 412;

/** The request makes no sense to the server. */
export const isWrong = (error: unknown): boolean => error instanceof CatchmentError && error.status === 400;

/** Returns the attribute that a refusal names. */
export const attributeOf = (error: unknown): string | undefined =>
  error instanceof CatchmentError ? error.argument : undefined;

/** It is not there any more, or never was to be seen. */
export const isGone = (error: unknown): boolean => error instanceof CatchmentError && error.kind === 'not_found';
