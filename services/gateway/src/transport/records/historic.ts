import { notFound } from '@catchment/errors';
import { CHART_PREVIEW, readArguments, WRITE_STATE, WRITING, WRITING_MANY } from '@catchment/query';
import type { WritePositions, WrittenPart } from '../../domain/write-position.ts';
import type { Peers } from '../../usecases/ports.ts';
import { type ApiCall, accepted, CALL_MS, changed, uncached } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import type { Operation } from '../routing/operation.ts';
import * as docs from './historic-docs.ts';

/**
 * Reads and writes historic data of one node, and of several. POST does what PUT does
 * (docs/reference/requests-and-errors.md#paths-and-methods).
 */
export function historicRoutes(
  { historic, render }: Peers,
  { slowReadMs, positions }: { readonly slowReadMs: number; readonly positions: WritePositions },
): RouteTable {
  const written = ({ caller }: ApiCall, { parts }: { parts: readonly WrittenPart[] }) =>
    accepted({ write: positions.of(caller.ownerId, parts) });
  const write = async (call: ApiCall) => {
    const { id, query, body, options } = call;
    const unused = { ownerId: '', origin: '', continues: false };
    const { format: _json, ...asked } = readArguments(WRITING, query);
    return written(call, await historic.write({ ...asked, ...unused, nodeRef: id, body }, options));
  };
  const writeMany = async (call: ApiCall) => {
    const { query, body, options } = call;
    const { format: _json, ...asked } = readArguments(WRITING_MANY, query);
    return written(call, await historic.writeMany({ ...asked, body }, options));
  };
  const writeNow = async (call: ApiCall) => {
    const { id, body, arrivalMs, options } = call;
    return written(call, await historic.writeNow({ nodeRef: id, body, arrivalMs }, options));
  };
  const remove: Operation = {
    schema: docs.deleteHistoric,
    answer: async (call) => {
      const { id, options } = call;
      return written(call, await historic.deleteAll({ nodeRef: id }, options));
    },
  };
  return {
    '/historic': {
      GET: {
        schema: docs.readMany,
        isSlowTooLarge: true,
        answer: async (call) =>
          uncached(
            historic.readMany(
              { arguments: { ...call.query }, arrivalMs: call.arrivalMs },
              call.streamOptions(slowReadMs),
            ),
            slowReadMs,
          ),
      },
      PUT: { schema: docs.writeMany('PUT'), body: 'opaque', answer: writeMany },
      POST: { schema: docs.writeMany('POST'), body: 'opaque', keyed: 'again', answer: writeMany },
    },
    '/historic/chart': {
      GET: {
        schema: docs.chartOfMany,
        isSlowTooLarge: true,
        answer: async (call) =>
          uncached(
            render.renderChart({ ...readRequest(call), nodeRef: '' }, call.streamOptions(slowReadMs)),
            slowReadMs,
          ),
      },
    },
    '/nodes/:id/historic': {
      GET: {
        schema: docs.readHistoric,
        isSlowTooLarge: true,
        answer: async (call) => uncached(historic.read(readRequest(call), call.streamOptions(slowReadMs)), slowReadMs),
      },
      PUT: { schema: docs.writeHistoric('PUT'), body: 'opaque', answer: write },
      POST: { schema: docs.writeHistoric('POST'), body: 'opaque', keyed: 'again', answer: write },
      DELETE: remove,
    },
    '/nodes/:id/historic/now': {
      PUT: { schema: docs.writeNow('PUT'), body: 'json', answer: writeNow },
      POST: { schema: docs.writeNow('POST'), body: 'json', keyed: 'again', answer: writeNow },
    },
    '/writes/:id': {
      GET: {
        schema: docs.getWrite,
        answer: async ({ id, query, caller, options }) => {
          const { wait } = readArguments(WRITE_STATE, query);
          const parts = positions.read(caller.ownerId, id);
          if (!parts) throw notFound();
          const timeoutMs = CALL_MS + wait * 1_000;
          const state = await historic.getWriteState({ parts, waitMs: wait * 1_000 }, { ...options, timeoutMs });
          return changed(Buffer.from(JSON.stringify({ durable: state.isDurable, readable: state.isReadable })));
        },
      },
    },
    '/nodes/:id/historic/chart': {
      GET: {
        schema: docs.chart,
        isSlowTooLarge: true,
        answer: async (call) =>
          uncached(render.renderChart(readRequest(call), call.streamOptions(slowReadMs)), slowReadMs),
      },
    },
    '/nodes/:id/historic/chart/preview': {
      POST: {
        schema: docs.previewChart,
        body: 'json',
        keyed: 'again',
        isSlowTooLarge: true,
        answer: async (call) =>
          uncached(
            render.renderChart(
              { ...readRequest(call), arguments: ofPreview(call.query), draft: call.body },
              call.streamOptions(slowReadMs),
            ),
            slowReadMs,
          ),
      },
    },
  };
}

/** A preview has the chart's own range and title. */
const ofPreview = (query: ApiCall['query']): Record<string, string> =>
  Object.fromEntries(
    Object.keys(CHART_PREVIEW).flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );

const readRequest = ({ id, query, arrivalMs }: ApiCall) => ({ nodeRef: id, arguments: { ...query }, arrivalMs });
