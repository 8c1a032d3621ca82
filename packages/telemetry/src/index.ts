export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.ts';
export { currentRequestId, type RequestContext, withRequestId } from './request-context.ts';
export { shutdownTracing } from './shutdown.ts';
export {
  type Context,
  currentTraceparent,
  extractTrace,
  injectTrace,
  type Span,
  SpanKind,
  TRACE_HEADERS,
  withSpan,
} from './tracing.ts';
