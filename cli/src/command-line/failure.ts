import { errorText } from '../error-text.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Interrupted } from './interrupted.ts';

/** An argument breaks a rule; nothing was done. */
export class UsageError extends Error {}

/** A part was done. The failure of the rest is the `cause`. */
export class PartlyDone extends Error {}

export type Failure = {
  /** The exit code is one of those above, or 128 and the number of a signal. */
  readonly code: number;
  /** A stable word. */
  readonly reason: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
};

type Facts = {
  readonly code?: unknown;
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly status?: unknown;
  readonly requestId?: unknown;
};

/** The TypeScript client, refusals of the API and calls between services fail with these codes. */
const BY_KIND: Readonly<Record<string, ExitCode>> = {
  authentication: EXIT.NOT_ALLOWED,
  permission: EXIT.NOT_ALLOWED,
  not_found: EXIT.NOT_FOUND,
  rate_limited: EXIT.LATER,
  unavailable: EXIT.LATER,
  transport: EXIT.NO_ANSWER,
  unexpected: EXIT.NO_ANSWER,
  partial_write: EXIT.PARTLY,
  unauthenticated: EXIT.NOT_ALLOWED,
  permission_denied: EXIT.NOT_ALLOWED,
  resource_exhausted: EXIT.LATER,
};
const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.NOT_ALLOWED,
  403: EXIT.NOT_ALLOWED,
  404: EXIT.NOT_FOUND,
  429: EXIT.LATER,
  503: EXIT.LATER,
};

/**
 * Returns what a failure means for the caller; undefined: none, such as a reader of the output that has seen enough.
 */
export function failureOf(error: unknown): Failure | undefined {
  const { code, kind, reason, status, requestId } = factsOf(error);
  // `… | head`
  if (code === 'EPIPE') return undefined;
  const message = errorText(error);
  const more = { ...(typeof status === 'number' && { status }), ...(typeof requestId === 'string' && { requestId }) };
  const word = typeof reason === 'string' ? reason : undefined;
  const signal = interruptedBy(error);
  // The work that was done until then is reported.
  const partly = error instanceof PartlyDone ? message : signal?.message;
  if (signal && partly) return { code: signal.exitCode, reason: 'INTERRUPTED', message: partly };
  if (isUsage(error)) return { code: EXIT.USAGE, reason: word ?? 'USAGE', message: bare(message) };
  if (error instanceof PartlyDone) return { code: EXIT.PARTLY, reason: word ?? 'PARTLY_DONE', message, ...more };
  const known = codeOf(kind, status);
  const fallback = typeof kind === 'string' ? kind.toUpperCase() : 'FAILED';
  return { code: known, reason: word ?? fallback, message, ...more };
}

/** Returns facts of the error, or of the cause that has them. */
function factsOf(error: unknown): Facts {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { kind, status, code } = cause as Facts;
    if (kind !== undefined || status !== undefined || code !== undefined) return cause as Facts;
  }
  return {};
}

function codeOf(kind: unknown, status: unknown): ExitCode {
  return BY_KIND[String(kind)] ?? BY_STATUS[Number(status)] ?? EXIT.FAILED;
}

/** Timers and requests say it in their own words, with the signal behind. */
function interruptedBy(error: unknown): Interrupted | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Interrupted) return cause;
  return undefined;
}

function isUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  // Whatever names an option was found before anything was sent: servers know none.
  if (error instanceof Error && error.message.startsWith('--')) return true;
  const { code, kind, status } = factsOf(error);
  return (typeof code === 'string' && code.startsWith('commander.')) || (kind === 'argument' && status === undefined);
}

const bare = (message: string): string => message.replace(/^error: /, '');

/** Commander has only printed what was asked for: help, or the version. */
export function isAnswered(error: unknown): boolean {
  const { code, exitCode } = error as { code?: unknown; exitCode?: unknown };
  return typeof code === 'string' && code.startsWith('commander.') && exitCode === 0;
}

/** Commander has written the error to standard error. */
export const isPrinted = (error: unknown): boolean => String((error as Facts).code).startsWith('commander.');
