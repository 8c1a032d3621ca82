/** What start.ts has started. */
export type Running = {
  readonly traces: boolean;
  readonly logs: boolean;
  /** As `Wanted`. */
  readonly keptShare: number | undefined;
  shutdown(): Promise<void>;
};

/** Of this process, known before its first module; undefined while nothing is sent. */
export const running = (globalThis as { catchmentTelemetry?: Running }).catchmentTelemetry;
