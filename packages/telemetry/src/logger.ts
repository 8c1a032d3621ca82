import { fstatSync } from 'node:fs';
import pino, { type DestinationStream, type Logger } from 'pino';
import { otlpLogStream } from './otlp/log-stream.ts';
import { currentRequestId } from './request-context.ts';
import { running } from './running.ts';
import { currentSampledTrace } from './tracing.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Lines that could not be written yet. */
const WAITING_MAX_BYTES = 256 * 1024;

/** Paths that never reach a log line, whoever logs the object. */
const SECRET_PATHS = [
  'authorization',
  'password',
  'secret',
  'token',
  'key',
  'apiKey',
  '*.authorization',
  '*.password',
].concat(['*.secret', '*.token', '*.key', '*.apiKey', 'headers["x-api-key"]', '*.headers["x-api-key"]']);

/**
 * Logs one JSON object a line on stdout, and readable text on a terminal. Every line has `service`, and `requestId` and `traceId` inside a
 * request.
 */
export function createLogger(
  service: string,
  options: { level?: LogLevel; destination?: DestinationStream } = {},
): Logger {
  const { level = 'info', destination } = options;
  const settings = {
    level,
    base: { service },
    redact: { paths: SECRET_PATHS, censor: '********' },
    mixin: () => ({ requestId: currentRequestId(), traceId: currentSampledTrace()?.trace_id }),
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (destination) return pino(settings, destination);
  if (running?.loggerOf) {
    // Both get every line that the logger's level lets through.
    const streams = [standardOutput(), otlpLogStream].map((stream) => ({ stream, level: 'debug' as const }));
    return pino(settings, pino.multistream(streams));
  }
  return pino(process.stdout.isTTY ? { ...settings, formatters: {} } : settings, standardOutput());
}

let output: DestinationStream | undefined;

/** One for all loggers of the process: a line that a full pipe takes in part would go on behind a line of another one. */
function standardOutput(): DestinationStream {
  output ??= process.stdout.isTTY && !running?.loggerOf ? pino.transport({ target: 'pino-pretty' }) : linesOut();
  return output;
}

/**
 * Opens the output of lines: while the disk behind it is full, lines wait for room, the newest of them are dropped, and
 * the process goes on.
 */
function linesOut(): DestinationStream {
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  // The library waits without end for room when the process ends, unless it has written each line at once: only files fill up.
  const stream = pino.destination({ dest: 1, sync: !isPipe, maxLength: WAITING_MAX_BYTES });
  // A line that cannot be written would end the process if nothing listened.
  stream.on('error', () => {});
  return stream;
}
