export {
  changeLogLevel,
  LOG_LEVEL_SECONDS,
  type LogLevelChange,
  readLogLevelChange,
  takeLogLevelChange,
} from './change-log-level.ts';
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger.ts';
export { eventLoopDelays, logLongDelays } from './metrics/event-loop.ts';
export { counter, gauge, histogram } from './metrics/instruments.ts';
export { metricsPage } from './metrics/page.ts';
export { allMetrics } from './metrics/registry.ts';
export { atMostEvery } from './metrics/sources.ts';
export { type RefusedWrite, recentRefusals, reportRefusedWrite } from './refused-writes.ts';
export { currentRequestId, withRequestId } from './request-context.ts';
export { ownVersion } from './resource.ts';
export { currentService, hostServices, inService } from './services.ts';
export { aheadOf, clockSkew, databaseDuration, storeBytes, storeLimit } from './shared-metrics.ts';
export { shutdownTelemetry } from './shutdown.ts';
export {
  type Context,
  commonTrace,
  currentTraceparent,
  extractTrace,
  failSpan,
  injectTrace,
  isTraceKept,
  openSpan,
  type Span,
  SpanKind,
  withSpan,
} from './tracing.ts';
