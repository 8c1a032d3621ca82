import type { Logger, Tracer } from '@opentelemetry/api';

/** Holds what start.ts has started: what is sent by OTLP, for each service of the process apart. */
export type Running = {
  /** Absent: no traces are sent. */
  readonly tracerOf: ((service: string | undefined) => Tracer) | undefined;
  /** Absent: no log records are sent. */
  readonly loggerOf: ((service: string | undefined) => Logger) | undefined;
  /** The traces of this share of the requests without a caller's trace are kept. */
  readonly keptShare: number;
  shutdown(): Promise<void>;
};

/** This process has such telemetry; undefined while nothing is sent. */
export let running: Running | undefined;

export function setRunning(started: Running): void {
  running = started;
}
