import { toDomainError } from '@catchment/errors';
import type { LogLevel } from '@catchment/telemetry';

/** The reason why an answer ended before its end. */
export type Breakage = {
  readonly reason:
    | 'client left'
    | 'client stalled'
    | 'client sent what is no HTTP'
    | 'connection failed'
    | 'peer failed'
    | 'deadline'
    | 'drain'
    | 'fault';
  readonly err?: unknown;
};

export const CLIENT_LEFT: Breakage = { reason: 'client left' };

/** Statuses in the log, never sent: the client ended the answer, or we did. */
const CLIENT_CLOSED = 499;
const CUT_BY_US = 500;

const BY_REASON: Readonly<Record<Breakage['reason'], { level: LogLevel; status: number }>> = {
  'client left': { level: 'info', status: CLIENT_CLOSED },
  'client stalled': { level: 'info', status: CLIENT_CLOSED },
  'client sent what is no HTTP': { level: 'info', status: CLIENT_CLOSED },
  'connection failed': { level: 'warn', status: CLIENT_CLOSED },
  'peer failed': { level: 'warn', status: CUT_BY_US },
  deadline: { level: 'warn', status: CUT_BY_US },
  drain: { level: 'warn', status: CUT_BY_US },
  fault: { level: 'error', status: CUT_BY_US },
};

export const levelOf = ({ reason }: Breakage): LogLevel => BY_REASON[reason].level;
export const statusOf = ({ reason }: Breakage): number => BY_REASON[reason].status;

/** Decides how an answer ends when the source of its document fails. */
export function breakageOf(error: unknown): Breakage {
  const { kind } = toDomainError(error);
  if (kind === 'deadline_exceeded') return { reason: 'deadline', err: error };
  return { reason: kind === 'internal' ? 'fault' : 'peer failed', err: error };
}

/** Decides how an answer ends after an error of the client's socket. */
export function breakageOfSocket(error: NodeJS.ErrnoException): Breakage {
  const code = error.code ?? '';
  if (code === 'ECONNRESET' || code === 'EPIPE') return CLIENT_LEFT;
  return { reason: code.startsWith('HPE_') ? 'client sent what is no HTTP' : 'connection failed', err: error };
}
