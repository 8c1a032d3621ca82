import { running } from './running.ts';

/** Sends the spans, metrics and log lines that are still buffered; nothing to do where none are sent. */
export async function shutdownTelemetry(): Promise<void> {
  await running?.shutdown();
}
