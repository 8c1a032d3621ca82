import { LOG_LEVELS, type Logger, type LogLevel } from './logger.ts';

/** Asks for a change of the loggers of a service. */
export type LogLevelChange = {
  /** A service's name, or `all`. */
  readonly service: string;
  readonly level: LogLevel;
  /** A process logs at the level of its setting again after this time. */
  readonly seconds: number;
};

/** A level that people forget about fills disks. */
export const LOG_LEVEL_SECONDS = { min: 1, max: 86_400, fallback: 600 } as const;

type Changed = { readonly configured: string; readonly timer: NodeJS.Timeout };
const changed = new WeakMap<Logger, Changed>();

/** Reads a change as it travels; undefined for anything else. */
export function readLogLevelChange(data: Uint8Array): LogLevelChange | undefined {
  try {
    const { service, level, seconds } = JSON.parse(Buffer.from(data).toString()) as Partial<LogLevelChange>;
    const known = LOG_LEVELS.find((logLevel) => logLevel === level);
    const { min, max } = LOG_LEVEL_SECONDS;
    const isTime = Number.isSafeInteger(seconds) && seconds! >= min && seconds! <= max;
    return typeof service === 'string' && known && isTime ? { service, level: known, seconds: seconds! } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Takes over a change as it came, if it is for this service.
 * @returns whether it is
 */
export function takeLogLevelChange(log: Logger, service: string, data: Uint8Array): boolean {
  const change = readLogLevelChange(data);
  if (!change || (change.service !== 'all' && change.service !== service)) return false;
  changeLogLevel(log, change);
  return true;
}

/** Logs at another level for a while; a later change replaces an earlier one. A line of the log says so. */
export function changeLogLevel(log: Logger, { level, seconds }: Omit<LogLevelChange, 'service'>): void {
  const before = changed.get(log);
  clearTimeout(before?.timer);
  const configured = before?.configured ?? log.level;
  const timer = setTimeout(() => {
    changed.delete(log);
    set(log, configured, { level: configured }, 'log level is that of the setting again');
  }, seconds * 1_000).unref();
  changed.set(log, { configured, timer });
  set(log, level, { level, seconds, configured }, 'log level changed');
}

/** The line is written whatever the levels are. */
function set(log: Logger, level: string, facts: object, text: string): void {
  log.level = 'info';
  log.info(facts, text);
  log.level = level;
}
