import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { running } from './running.ts';
import { currentService, reporterOf } from './services.ts';
import { beginWork } from './work-in-progress.ts';

export type { Context, Span };
export { SpanKind };

type Attributes = Readonly<Record<string, string | number | boolean>>;

type SpanOptions = {
  /** A SERVER begins a trace where its caller has none; all others only go on with one. */
  kind?: SpanKind;
  /** A function is asked only where the trace is kept. */
  attributes?: Attributes | (() => Attributes);
  /** The span continues another process's trace here. */
  parent?: Context;
  /** traceparents of the requests that this span works for, when they are several: it goes on with the first that is kept. */
  linkedTraceparents?: readonly string[];
  /** The messages of errors may name people or logins: the span has their kind alone. */
  hidesErrors?: boolean;
  /** Errors that are none: a stream whose reader has left. All are where it is absent. */
  isFailure?: (error: unknown) => boolean;
  /** Work in progress is listed under this name, where it is not that of the span. */
  workName?: string;
};

/**
 * True where an SDK was started before anything else (start.ts). Without one the calls of its API lead to nothing, and
 * cost a twentieth of a small write.
 */
const isTracing = (): boolean => running?.tracerOf !== undefined;
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * All requests whose trace is not kept are one to us: most of them, where one in a hundred is sampled, and nobody looks
 * for them by an id that no store has. So they cost next to nothing, while whoever is called knows that it is not to
 * begin a separate trace.
 */
const DROPPED_IDS = { traceId: '1'.padStart(32, '0'), spanId: '1'.padStart(16, '0') };
const DROPPED = trace.setSpanContext(ROOT_CONTEXT, { ...DROPPED_IDS, traceFlags: TraceFlags.NONE, isRemote: true });
const DROPPED_HEADERS = Object.freeze({ traceparent: `00-${DROPPED_IDS.traceId}-${DROPPED_IDS.spanId}-00` });

const isKept = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/**
 * Runs `work` inside a span, where its trace is kept; an error ends it as failed. Work for others is known as work in
 * progress.
 */
export function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (options.kind !== SpanKind.SERVER && options.kind !== SpanKind.CONSUMER) return traced(name, options, work);
  const ended = beginWork(options.workName ?? name);
  return traced(name, options, work).finally(ended);
}

async function traced<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!running?.tracerOf) return work(NO_SPAN);
  const links = (options.linkedTraceparents ?? []).map(linkOf).filter((link) => link !== undefined);
  const [link] = links;
  const active = context.active();
  const given = options.parent ?? (link ? trace.setSpanContext(ROOT_CONTEXT, link.context) : active);
  const parent = trace.getSpanContext(given);
  if (parent ? !isKept(parent) : options.kind !== SpanKind.SERVER)
    return given === active || !parent ? work(NO_SPAN) : context.with(DROPPED, () => work(NO_SPAN));
  // Decided here: the SDK's sampler is asked with ids, attributes and a separate span for each request, most of which
  // are not kept.
  if (!parent && Math.random() >= running.keptShare) return context.with(DROPPED, () => work(NO_SPAN));
  const attributes = typeof options.attributes === 'function' ? options.attributes() : (options.attributes ?? {});
  const settings = { kind: options.kind ?? SpanKind.INTERNAL, attributes, links };
  return running.tracerOf(reporterOf(currentService())).startActiveSpan(name, settings, given, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error, options);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A failed span has `error.type` by OpenTelemetry's conventions: here the reason of ours, or the name of a foreign error. */
function markFailed(span: Span, error: unknown, { isFailure, hidesErrors }: SpanOptions): void {
  if (isFailure && !isFailure(error)) return;
  const { name, reason } = error as { readonly name?: string; readonly reason?: unknown };
  span.setAttribute('error.type', typeof reason === 'string' && !hidesErrors ? reason : (name ?? 'Error'));
  if (!hidesErrors) span.recordException(error as Error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Marks a span whose work has answered, and the answer is a failure. @param errorType such as the status of HTTP */
export function failSpan(span: Span | undefined, errorType: string): void {
  span?.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
}

/** True where the running trace is kept: callers that ask many times a second make spans only then. */
export const isTraceKept = (): boolean => {
  const span = isTracing() ? trace.getSpanContext(context.active()) : undefined;
  return span !== undefined && isKept(span);
};

/** The span is of what is not one promise: an answer that comes in pieces. */
export type OpenSpan = {
  /** Runs what is to be below it. */
  within<T>(work: () => T): T;
  /** @param error what it failed with */
  end(error?: unknown): void;
};

/** @returns undefined where the running trace is not kept */
export function openSpan(
  name: string,
  options: Pick<SpanOptions, 'kind' | 'isFailure' | 'hidesErrors'> & { readonly attributes?: Attributes },
): OpenSpan | undefined {
  if (!isTraceKept() || !running?.tracerOf) return undefined;
  const { kind = SpanKind.INTERNAL, attributes = {} } = options;
  const span = running.tracerOf(reporterOf(currentService())).startSpan(name, { kind, attributes }, context.active());
  const inside = trace.setSpan(context.active(), span);
  return {
    within: (work) => context.with(inside, work),
    end: (error) => {
      if (error !== undefined) markFailed(span, error, options);
      span.end();
    },
  };
}

/** Headers that hand the running trace on, or that it is not kept; empty while tracing is off, and outside of any. */
export function injectTrace(): Record<string, string> {
  const span = isTracing() ? trace.getSpanContext(context.active()) : undefined;
  if (!span) return {};
  if (!isKept(span)) return DROPPED_HEADERS;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** Reads the context of a caller in another process out of its headers (lower-case names). */
export function extractTrace(headers: Readonly<Record<string, string | undefined>>): Context {
  if (!isTracing()) return ROOT_CONTEXT;
  if (!headers.traceparent) return context.active();
  if (headers.traceparent === DROPPED_HEADERS.traceparent) return DROPPED;
  return propagation.extract(context.active(), headers);
}

/** Returns where the running trace is kept: labels of an exemplar. */
export function currentSampledTrace(): { trace_id: string; span_id: string } | undefined {
  const span = isTracing() ? trace.getSpanContext(context.active()) : undefined;
  return span && isKept(span) ? { trace_id: span.traceId, span_id: span.spanId } : undefined;
}

/**
 * Returns the trace that all of several contexts belong to.
 * @returns one of them; undefined where they are of several traces, or of none
 */
export function commonTrace(contexts: readonly Context[]): Context | undefined {
  if (!isTracing()) return undefined;
  const [first, ...others] = contexts;
  const traceOf = (context: Context) => trace.getSpanContext(context)?.traceId;
  const traceId = first && traceOf(first);
  return traceId !== undefined && others.every((other) => traceOf(other) === traceId) ? first : undefined;
}

/** Returns the running span as a W3C traceparent; undefined where its trace is not kept, and while tracing is off. */
export function currentTraceparent(): string | undefined {
  const { traceparent } = injectTrace();
  return traceparent === DROPPED_HEADERS.traceparent ? undefined : traceparent;
}

/** Link to a trace; undefined where the trace is not kept. */
function linkOf(traceparent: string): Link | undefined {
  const spanContext = trace.getSpanContext(extractTrace({ traceparent }));
  return spanContext && isKept(spanContext) ? { context: spanContext } : undefined;
}
