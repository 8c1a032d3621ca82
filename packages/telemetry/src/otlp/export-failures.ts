import { DiagConsoleLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { createLogger, type Logger } from '../logger.ts';
import { resourceOf } from '../resource.ts';
import { reporterOf } from '../services.ts';
import type { SdkLogLevel } from './settings.ts';

const LEVELS: Readonly<Record<SdkLogLevel, DiagLogLevel>> = {
  NONE: DiagLogLevel.NONE,
  ERROR: DiagLogLevel.ERROR,
  WARN: DiagLogLevel.WARN,
  INFO: DiagLogLevel.INFO,
  DEBUG: DiagLogLevel.DEBUG,
  VERBOSE: DiagLogLevel.VERBOSE,
  ALL: DiagLogLevel.ALL,
};

const REPORT_EVERY_MS = 60_000;
const REASON_MAX = 300;

/** Says in the log when something could not be sent, at most once a minute; with a level the SDK says its own words on the console instead. */
export function reportFailures(level: SdkLogLevel | undefined): void {
  if (level) {
    diag.setLogger(new DiagConsoleLogger(), LEVELS[level]);
    return;
  }
  let log: Logger | undefined;
  const warn = failureReporter((facts) => {
    // A logger depends on what was started, which is known only after this.
    log ??= createLogger(resourceOf(reporterOf(undefined))['service.name'] ?? '');
    log.warn(facts, 'telemetry could not be sent');
  });
  diag.setLogger({ error: warn, warn() {}, info() {}, debug() {}, verbose() {} }, DiagLogLevel.ERROR);
}

/** @returns takes what the SDK says, and hands on one in a minute with the number of those before it */
export function failureReporter(
  report: (facts: { readonly reason: string; readonly unlogged: number }) => unknown,
  now: () => number = () => performance.now(),
): (message: string) => void {
  let [nextMs, unlogged] = [Number.NEGATIVE_INFINITY, 0];
  return (message) => {
    if (now() < nextMs) {
      unlogged += 1;
      return;
    }
    nextMs = now() + REPORT_EVERY_MS;
    report({ reason: reasonOf(message).slice(0, REASON_MAX), unlogged });
    unlogged = 0;
  };
}

/** The SDK logs an error with all its fields as JSON, the stack included. */
function reasonOf(message: string): string {
  try {
    const { name = 'Error', message: text, code } = JSON.parse(message) as Record<string, string | undefined>;
    return [name, code, text].filter((part) => part).join(' ');
  } catch {
    return message;
  }
}
