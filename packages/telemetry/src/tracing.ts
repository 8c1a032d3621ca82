import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

import { running } from './running.ts';

export type { Context, Span };
export { SpanKind };

/** Name of the header that carries a trace over HTTP, gRPC and NATS (W3C Trace Context). */
export const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

type SpanOptions = {
  kind?: SpanKind;
  attributes?: Record<string, string | number | boolean>;
  /** Where the span continues another process's trace. */
  parent?: Context;
  /** traceparents of the requests that this span works for, when they are several. */
  linkedTraceparents?: readonly string[];
  /** What errors say may name people or logins: the span tells their kind alone. */
  hidesErrors?: boolean;
};

/**
 * Whether an SDK was started before anything else (start.ts). Without one the calls of its API lead to nothing, and cost a twentieth of
 * a small write.
 */
const isTracing = running?.traces === true;
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs `work` inside a span; an error ends it as failed. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!isTracing) return work(NO_SPAN);
  const links = (options.linkedTraceparents ?? []).map(linkOf).filter((link) => link !== undefined);
  const settings = { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {}, links };
  return trace
    .getTracer('catchment')
    .startActiveSpan(name, settings, options.parent ?? context.active(), async (span) => {
      try {
        return await work(span);
      } catch (error) {
        if (options.hidesErrors) span.setAttribute('error.type', (error as Error).name);
        else span.recordException(error as Error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
}

/** Headers that hand the running trace on; empty while tracing is off. */
export function injectTrace(): Record<string, string> {
  const carrier: Record<string, string> = {};
  if (isTracing) propagation.inject(context.active(), carrier);
  return carrier;
}

/** The context of a caller in another process, out of its headers (lower-case names). */
export function extractTrace(headers: Readonly<Record<string, string | undefined>>): Context {
  return isTracing ? propagation.extract(context.active(), headers) : ROOT_CONTEXT;
}

/** Labels of an exemplar: the running trace, where it is kept. */
export function currentSampledTrace(): { trace_id: string; span_id: string } | undefined {
  if (!isTracing) return undefined;
  const running = trace.getActiveSpan()?.spanContext();
  if (!running || (running.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return { trace_id: running.traceId, span_id: running.spanId };
}

/**
 * The trace that all of several contexts belong to.
 * @returns one of them; undefined where they are of several traces, or of none
 */
export function commonTrace(contexts: readonly Context[]): Context | undefined {
  const [first, ...others] = contexts;
  const traceOf = (one: Context) => trace.getSpanContext(one)?.traceId;
  const traceId = first && traceOf(first);
  return traceId !== undefined && others.every((one) => traceOf(one) === traceId) ? first : undefined;
}

/** The running span as a W3C traceparent, or undefined while tracing is off. */
export const currentTraceparent = (): string | undefined => injectTrace().traceparent;

function linkOf(traceparent: string): Link | undefined {
  const spanContext = trace.getSpanContext(extractTrace({ traceparent }));
  return spanContext && { context: spanContext };
}
