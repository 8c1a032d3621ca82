import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedIdents } from '../../listening/index.ts';
import { type Accepted, acceptModem, type Ident, type ModemDeps } from '../../registry/index.ts';

export type IdentifyDeps = ModemDeps & {
  readonly failedIdents: FailedIdents;
  /** No refusal of a key or secret comes sooner. */
  readonly refusalMs: number;
};

type Identifying = {
  /** Lines of the log name it so. */
  readonly what: 'modem' | 'logger';
  readonly connectionId: string;
  readonly address: string;
  /** What the log says of a client that does not identify itself. */
  readonly noIdent: string;
  /** Ends the wait for a turn: the process stops. */
  readonly signal: AbortSignal;
};

export type Refusal = 'TOO_MANY_FAILURES' | 'RESTARTING' | 'BAD_IDENT' | 'REFUSED';

/** Finds out who has connected and registers the connection, or says why it may not go on. @throws DomainError unavailable */
export async function identify(
  deps: IdentifyDeps,
  ident: Ident | undefined,
  { what, connectionId, address, noIdent, signal }: Identifying,
): Promise<Accepted | { readonly refusal: Refusal }> {
  const { failedIdents, log, refusalMs } = deps;
  const failed = (refusal: Refusal) => ({ refusal: failedIdents.failed(address) ? 'TOO_MANY_FAILURES' : refusal });
  const waitMs = failedIdents.delayMs(address, ident);
  if (waitMs === undefined) {
    log.warn({ address }, `${what} refused: too many failures, not checked`);
    return { refusal: 'TOO_MANY_FAILURES' };
  }
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {});
  if (signal.aborted) return { refusal: 'RESTARTING' };
  if (!ident) {
    log.warn({ address }, `${what} refused: ${noIdent}`);
    return failed('BAD_IDENT');
  }
  // Every refusal takes the same time, whatever the load.
  const soonest = sleep(refusalMs);
  const result = await acceptModem(deps, ident, { connectionId, address });
  if ('refused' in result) {
    await soonest;
    log.warn({ address, deviceKey: ident.deviceKey, reason: result.refused }, `${what} refused`);
    return failed('REFUSED');
  }
  failedIdents.succeeded(address, ident);
  return result;
}
