import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import type { Peers } from '../../usecases/ports.ts';
import * as docs from '../docs/alarms.ts';
import { asObject } from '../request/json-body.ts';
import { ACCEPTED } from './api-call.ts';
import type { RouteTable } from './define-routes.ts';

export function alarmRoutes({ alarms }: Peers): RouteTable {
  return {
    '/nodes/:id/alarms/acknowledge': {
      POST: {
        schema: docs.acknowledge,
        body: 'optional-json',
        answer: async ({ id, query, body, options }) => {
          const comment = body.length === 0 ? '' : commentOf(parseJsonBody(body));
          await alarms.acknowledge({ nodeRef: id, alarmTypes: query.alarmTypes ?? '', comment }, options);
          return ACCEPTED;
        },
      },
    },
    '/nodes/:id/alarms/clear': {
      POST: {
        schema: docs.clear,
        answer: async ({ id, query, options }) => {
          await alarms.clear({ nodeRef: id, alarmTypes: query.alarmTypes ?? '' }, options);
          return ACCEPTED;
        },
      },
    },
  };
}

/** @throws DomainError invalid_argument */
function commentOf(body: unknown): string {
  const comment = asObject(body).comment ?? '';
  if (typeof comment !== 'string' || [...comment].length > docs.COMMENT_MAX) {
    throw invalid('INVALID_ATTRIBUTE', `comment: must be a string of at most ${docs.COMMENT_MAX} characters`);
  }
  return comment;
}
