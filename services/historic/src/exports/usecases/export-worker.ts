import { randomUUID } from 'node:crypto';
import type { ApiCaller } from '@catchment/access';
import { DomainError, type ErrorKind, toDomainError, tooLarge } from '@catchment/errors';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { ReadDeps } from '../../read/index.ts';
import { exportBytes, type Progress } from './make-export.ts';
import type { ClaimedExport, Exports } from './ports.ts';

type ExportWorkerDeps = {
  readonly exports: Exports;
  readonly read: ReadDeps;
  /** Makes a caller's token for calls to other services. */
  readonly sign: (caller: ApiCaller) => Promise<string>;
  readonly log: Logger;
  /** All columns of a page together have this many fields. */
  readonly pageFields?: number;
};

export const EXPORT_SEGMENT_BYTES = 256 * 1024;
/** See docs/reference/limits.md. */
const EXPORT_MAX_BYTES = 250 * 1024 * 1024;
/** Exports that another replica accepted or released are found after this time. */
const POLL_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 3_600_000;
const RENEW_EVERY_MS = 5_000;
const TRIES_MAX = 5;
const AWAY_SECONDS = 5;
const FAILED_SECONDS = 30;
/** Something that the export needed was away, so this counts as no try. */
const AWAY: ReadonlySet<ErrorKind> = new Set(['unavailable', 'deadline_exceeded', 'resource_exhausted', 'cancelled']);
/** These errors come again the next time. */
const FINAL: ReadonlySet<ErrorKind> = new Set(['invalid_argument', 'not_found', 'permission_denied', 'too_large']);

/** Makes exports, one at a time; whatever a process leaves undone is begun again by any replica. */
export class ExportWorker {
  readonly #deps: ExportWorkerDeps;
  readonly #loops: readonly [Repeated, Repeated];

  constructor(deps: ExportWorkerDeps) {
    this.#deps = deps;
    const { exports, log } = deps;
    this.#loops = [
      repeat((stopping) => this.#next(stopping), { everyMs: POLL_EVERY_MS, failed: 'exports could not be made', log }),
      repeat(() => exports.sweep(), { everyMs: SWEEP_EVERY_MS, failed: 'exports could not be swept', log }),
    ];
  }

  /** There is, or may be, work. */
  wake(): void {
    this.#loops[0].wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** @returns whether there may be more to do */
  async #next(stopping: AbortSignal): Promise<boolean> {
    const { exports, log } = this.#deps;
    const leaseId = randomUUID();
    const claimed = await exports.claim(leaseId);
    if (!claimed) return false;
    const { exportId } = claimed;
    if (claimed.tries > TRIES_MAX) {
      await exports.fail(exportId, leaseId, 'The export could not be made');
      return true;
    }
    const taken = new AbortController();
    const signal = AbortSignal.any([stopping, taken.signal]);
    const progress: Progress = { seriesDone: 0, records: 0 };
    const renewing = setInterval(() => {
      exports.progress(exportId, leaseId, progress).catch((error: unknown) => {
        // A database that is away for a moment does not take the export from us.
        if (error instanceof DomainError && error.kind === 'cancelled') taken.abort(error);
      });
    }, RENEW_EVERY_MS);
    try {
      await this.#make(claimed, leaseId, { progress, signal });
    } catch (error) {
      const { kind, message } = toDomainError(error);
      if (FINAL.has(kind) && !signal.aborted) await exports.fail(exportId, leaseId, message);
      else {
        const isAway = AWAY.has(kind) || signal.aborted;
        if (!isAway) log.error({ err: error, exportId }, 'export could not be made');
        const waitSeconds = signal.aborted ? 0 : isAway ? AWAY_SECONDS : FAILED_SECONDS;
        await exports.release(exportId, leaseId, { counts: !isAway, waitSeconds });
      }
    } finally {
      clearInterval(renewing);
    }
    return !stopping.aborted;
  }

  async #make(
    { exportId, plan, caller }: ClaimedExport,
    leaseId: string,
    { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
  ): Promise<void> {
    const { exports, read, sign, pageFields } = this.#deps;
    const call = { caller, token: await sign(caller), signal };
    const buffer = Buffer.allocUnsafeSlow(EXPORT_SEGMENT_BYTES);
    let filled = 0;
    let segment = 0;
    let size = 0;
    const flush = async () => {
      await exports.saveSegment(exportId, leaseId, { segment, bytes: buffer.subarray(0, filled) });
      segment += 1;
      filled = 0;
    };
    for await (const piece of exportBytes(read, plan, call, progress, pageFields)) {
      signal.throwIfAborted();
      size += piece.length;
      if (size > EXPORT_MAX_BYTES) throw tooLarge(`An export may have at most ${EXPORT_MAX_BYTES} bytes`);
      for (let from = 0; from < piece.length; ) {
        const length = Math.min(EXPORT_SEGMENT_BYTES - filled, piece.length - from);
        buffer.set(piece.subarray(from, from + length), filled);
        filled += length;
        from += length;
        if (filled === EXPORT_SEGMENT_BYTES) await flush();
      }
    }
    if (filled > 0) await flush();
    await exports.progress(exportId, leaseId, progress);
    await exports.complete(exportId, leaseId, size);
  }
}
