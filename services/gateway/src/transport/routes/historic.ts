import { readArguments, WRITING, WRITING_MANY } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import * as docs from '../docs/historic.ts';
import { ACCEPTED, type ApiCall, uncached } from './api-call.ts';
import type { Operation, RouteTable } from './define-routes.ts';

/** Historic data of one node, and of several. POST does what PUT does (docs/reference/requests-and-errors.md#paths-and-methods). */
export function historicRoutes({ historic, render }: Peers, slowReadMs: number): RouteTable {
  const write = async ({ id, query, body, options }: ApiCall) => {
    const own = { ownerId: '', origin: '', continues: false };
    const { format: _json, ...asked } = readArguments(WRITING, query);
    await historic.write({ ...asked, ...own, nodeRef: id, body }, options);
    return ACCEPTED;
  };
  const writeMany = async ({ query, body, options }: ApiCall) => {
    const { format: _json, ...asked } = readArguments(WRITING_MANY, query);
    await historic.writeMany({ ...asked, body }, options);
    return ACCEPTED;
  };
  const writeNow = async ({ id, body, arrivalMs, options }: ApiCall) => {
    await historic.writeNow({ nodeRef: id, body, arrivalMs }, options);
    return ACCEPTED;
  };
  const remove: Operation = {
    schema: docs.deleteHistoric,
    answer: async ({ id, options }) => {
      await historic.deleteHistoric({ nodeRef: id }, options);
      return ACCEPTED;
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
      POST: { schema: docs.writeMany('POST'), body: 'opaque', answer: writeMany },
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
      POST: { schema: docs.writeHistoric('POST'), body: 'opaque', answer: write },
      DELETE: remove,
    },
    '/nodes/:id/historic/now': {
      PUT: { schema: docs.writeNow('PUT'), body: 'json', answer: writeNow },
      POST: { schema: docs.writeNow('POST'), body: 'json', answer: writeNow },
    },
    '/nodes/:id/historic/chart': {
      GET: {
        schema: docs.chart,
        isSlowTooLarge: true,
        answer: async (call) =>
          uncached(render.renderChart(readRequest(call), call.streamOptions(slowReadMs)), slowReadMs),
      },
    },
  };
}

const readRequest = ({ id, query, arrivalMs }: ApiCall) => ({ nodeRef: id, arguments: { ...query }, arrivalMs });
