import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';

const TOLD_EVERY_MS = 60_000;
const REASON_MAX = 300;

/** Says in the log when something could not be sent, at most once a minute; OTEL_LOG_LEVEL gives the SDK's own words on the console instead. */
export function tellFailures(service: string, env: NodeJS.ProcessEnv): void {
  if (env.OTEL_LOG_LEVEL) return;
  const warn = failureTeller(async (facts) => {
    // What a logger does depends on what was started, which is known only after this.
    const { createLogger } = await import('../logger.ts');
    createLogger(service).warn(facts, 'telemetry could not be sent');
  });
  const logger: DiagLogger = { error: warn, warn() {}, info() {}, debug() {}, verbose() {} };
  diag.setLogger(logger, DiagLogLevel.ERROR);
}

/** @returns takes what the SDK says, and hands on one in a minute with the number of those before it */
export function failureTeller(
  tell: (facts: { readonly reason: string; readonly untold: number }) => unknown,
  now: () => number = () => performance.now(),
): (message: string) => void {
  let [nextMs, untold] = [Number.NEGATIVE_INFINITY, 0];
  return (message) => {
    if (now() < nextMs) {
      untold += 1;
      return;
    }
    nextMs = now() + TOLD_EVERY_MS;
    tell({ reason: reasonOf(message).slice(0, REASON_MAX), untold });
    untold = 0;
  };
}

/** Of an error the SDK says all its fields as JSON, its stack too. */
function reasonOf(message: string): string {
  try {
    const { name = 'Error', message: text, code } = JSON.parse(message) as Record<string, string | undefined>;
    return [name, code, text].filter((part) => part).join(' ');
  } catch {
    return message;
  }
}
