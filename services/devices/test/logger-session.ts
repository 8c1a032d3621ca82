import { type Duplex, duplexPair } from 'node:stream';
import { Deframer, frame } from '@catchment/pakbus';
import { faultyLine, type LineFaults, type SimulatedLogger } from '@catchment/pakbus/simulator';
import type { LoggerDriver, LoggerFacts, PendingControl, SessionProgress } from '../src/acquisition/index.ts';
import type { ActivityChange, LoggerParameter } from '../src/loggers/index.ts';
import { PakBusDriver, type PakBusDriverOptions } from '../src/loggers/usecases/pakbus-driver.ts';

/** A source has got these: its series, each with values by time. */
export type Stored = Map<string, Map<string, unknown>>;

/** The source keeps what sessions bring, as historic would. */
export class TestSource {
  readonly stored: Stored = new Map();
  readonly steps: string[] = [];
  readonly events: string[] = [];
  readonly controlled: [series: string, refusal: string | undefined][] = [];
  readonly writes: { readonly rows: number; readonly origin: string }[] = [];
  facts: LoggerFacts = {};
  memory: unknown;
  /** It is called before a write is kept, and may throw. */
  onWrite: () => void = () => undefined;
  attributes: Record<string, unknown> = {};

  progress(): SessionProgress {
    const memory = this.memory;
    return {
      memory,
      step: async (status) => void this.steps.push(status),
      facts: async (facts) => {
        this.facts = facts;
      },
      controlled: async ({ series }, refusal) => void this.controlled.push([series, refusal]),
      write: async (document, rows, origin) => {
        this.onWrite();
        this.writes.push({ rows, origin });
        this.#keep(document as Document);
      },
      event: async (level, message) => void this.events.push(`${level} ${message}`),
      remember: async (next) => {
        this.memory = structuredClone(next);
      },
    };
  }

  #keep({ header, data }: Document): void {
    for (const { ts, f } of data) {
      for (const [n, { v }] of Object.entries(f)) {
        const { series } = header.columns[n]!;
        if (!this.stored.has(series)) this.stored.set(series, new Map());
        this.stored.get(series)!.set(ts, v);
      }
    }
  }

  session(now: () => number, more: { controls?: PendingControl[]; collects?: boolean; signal?: AbortSignal } = {}) {
    const { controls = [], collects = true, signal = new AbortController().signal } = more;
    const ids = { sourceId: 'source', ownerId: 'owner', workspaceId: 'workspace', name: 'Logger' };
    const source = { ...ids, sourceClass: 'source.data.CampbellPakBus', attributes: this.attributes };
    return { source, controls, collects, progress: this.progress(), now, signal };
  }
}

type Document = {
  readonly header: { readonly columns: Record<string, { readonly series: string }> };
  readonly data: readonly { readonly ts: string; readonly f: Record<string, { readonly v: unknown }> }[];
};

export const pakBusDriver = (options: Partial<PakBusDriverOptions> = {}): LoggerDriver =>
  new PakBusDriver({
    ownAddress: 4_094,
    models: ['CR200', 'CR800', 'CR1000', 'CR3000'],
    responseMs: 2_000,
    parameters: { of: async () => [], activate: async () => undefined },
    ...options,
  });

/** Returns the parameters that a source has from the beginning, and what is changed of them. */
export function parametersOf(given: readonly LoggerParameter[]) {
  const changes: ActivityChange[] = [];
  return {
    of: async () => given,
    activate: async (_: unknown, change: ActivityChange) => void changes.push(change),
    changes,
  };
}

/** Returns a pipe with a logger at its end. @param bad what happens to what the logger sends */
export function pipeTo(
  logger: SimulatedLogger,
  bad?: { faults: LineFaults; seed: number; onFrame?: () => void },
): Duplex {
  const [ours, its] = duplexPair();
  const answer = logger.line();
  const damage = bad ? faultyLine(bad.faults, bad.seed) : undefined;
  its.on('data', (bytes: Buffer) => {
    for (const frame of damage ? damage(answer(bytes)) : answer(bytes)) {
      bad?.onFrame?.();
      if (its.writable) its.write(frame);
    }
  });
  its.on('error', () => undefined);
  return ours;
}

const HEADER_BYTES = 10;
/** Returns the packet of a frame with a byte of its message changed, and its signature put right. */
export function rewritten(framed: Uint8Array, random: () => number): Uint8Array {
  const [packet] = new Deframer().push(framed);
  if (!packet || packet.length <= HEADER_BYTES || random() < 0.5) return framed;
  const at = HEADER_BYTES + Math.floor(random() * (packet.length - HEADER_BYTES));
  packet[at] = Math.floor(random() * 256);
  return frame(packet);
}
