import { formatIsoMs } from '@catchment/time';
import type { Device } from '../../registry/index.ts';

/** JSON line to a modem. */
export type ModemLine = Readonly<Record<string, unknown>>;

type Served = Pick<Device, 'config' | 'configRevision' | 'confirmedRevision'>;

/** This is the size of a body of 5 MiB and its envelope. */
export const MESSAGE_MAX_BYTES = 5 * 1024 * 1024 + 64 * 1024;
/** A slow mobile network takes this long for 5 MiB. */
const LINE_LIMIT_MS = 15 * 60_000;
const DEFAULT_STATUS_SECONDS = 600;
const MISSED_STATUSES = 3;
const SHORTEST_IDLE_MS = 10_000;
const MAX_BAD_MESSAGES = 10;
/** One message carries this much of the pipe. */
const PIPE_BYTES = 16 * 1024;

/** What one connection says to a modem that it has accepted, and when (docs/modem-protocol.md). */
export class ModemDialogue {
  #sentRevision = 0;
  #answeredRevision = 0;
  #badMessages = 0;

  /** Yields the first lines: the answer to the identification, and the configuration if the modem does not have it. */
  *welcome(device: Served, ackedSeq: number, nowMs: number): Generator<ModemLine> {
    yield {
      type: 'welcome',
      time: formatIsoMs(nowMs),
      ackedSeq,
      statusIntervalSeconds: statusSeconds(device),
      maxMessageBytes: MESSAGE_MAX_BYTES,
    };
    yield* this.pendingConfig(device);
  }

  /** Yields the configuration that the modem has not confirmed, once for each revision. */
  *pendingConfig({ config, configRevision, confirmedRevision }: Served): Generator<ModemLine> {
    if (!config || confirmedRevision >= configRevision || this.#sentRevision === configRevision) return;
    this.#sentRevision = configRevision;
    yield { type: 'config', revision: configRevision, config };
  }

  /** Returns whether an answer to a configuration counts: it is the first one to what was sent last. */
  takesAnswer(revision: number): boolean {
    if (revision !== this.#sentRevision || revision === this.#answeredRevision) return false;
    this.#answeredRevision = revision;
    return true;
  }

  /** A message that cannot be used is refused by its number; one without a number counts, and too many of them are the end. */
  refused(seq: number | undefined, reason: string): { readonly line: ModemLine; readonly isLast: boolean } {
    if (seq !== undefined) return { line: { type: 'nack', seq, message: reason }, isLast: false };
    this.#badMessages += 1;
    const isLast = this.#badMessages >= MAX_BAD_MESSAGES;
    return { line: endLine('BAD_MESSAGE', isLast ? `${reason}: too often` : reason), isLast };
  }
}

export const endLine = (code: string, message: string): ModemLine => ({ type: 'error', code, message });

/** Yields the lines that carry bytes to what is behind the modem. */
export function* pipeLines(bytes: Uint8Array): Generator<ModemLine> {
  for (let from = 0; from < bytes.length; from += PIPE_BYTES)
    yield { type: 'pipe', data: Buffer.from(bytes.subarray(from, from + PIPE_BYTES)).toString('base64') };
}

const statusSeconds = ({ config }: Pick<Served, 'config'>): number =>
  config?.schedule.statusIntervalSeconds ?? DEFAULT_STATUS_SECONDS;

/** The modem sends something within this time: one of a few statuses at the least. */
export const idleLimitMs = (device: Pick<Served, 'config'>): number =>
  Math.max(SHORTEST_IDLE_MS, MISSED_STATUSES * statusSeconds(device) * 1_000);

/** Returns whether a message that began to come then should be here by now. */
export const isLineLate = (sinceMs: number, nowMs: number): boolean => nowMs - sinceMs > LINE_LIMIT_MS;
