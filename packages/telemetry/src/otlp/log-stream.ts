import { SeverityNumber } from '@opentelemetry/api';
import { running } from '../running.ts';
import { reporterOf } from '../services.ts';

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

type Line = {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly service?: string;
  readonly traceId?: string;
  readonly requestId?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
};

/**
 * Takes the lines of the logger as they are written, secrets left out already, and hands them on as log records of their
 * service. The running span is that of the record.
 */
export const otlpLogStream = {
  write(text: string): void {
    const { level, time, msg = '', service, traceId: _traceId, requestId, err, ...facts } = JSON.parse(text) as Line;
    running?.loggerOf?.(reporterOf(service)).emit({
      timestamp: new Date(time),
      severityNumber: SEVERITIES[level] ?? SeverityNumber.UNSPECIFIED,
      severityText: level,
      body: msg,
      attributes: {
        ...(facts as Record<string, string | number | boolean>),
        ...(requestId !== undefined && { 'catchment.request.id': requestId }),
        ...(err && {
          'exception.type': err.type ?? 'Error',
          'exception.message': err.message ?? '',
          'exception.stacktrace': err.stack ?? '',
        }),
      },
    });
  },
};
