import { AlarmAction } from '@catchment/contracts/alarms';
import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { ALARMS_MAX } from '@catchment/query';
import type { Peers } from '../../usecases/ports.ts';
import { asObject } from '../request/json-body.ts';
import { ACCEPTED, type ApiCall, accepted, document } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import * as docs from './alarms-docs.ts';

export function alarmRoutes({ alarms, nodes }: Peers): RouteTable {
  const change = async ({ body, options }: ApiCall, action: AlarmAction, comment: (body: unknown) => string) => {
    const given = parseJsonBody(body);
    const listed = listedAlarms(given);
    const request = { action, alarms: listed, comment: comment(given) };
    const { outcomes } = await alarms.changeAlarms(request, options);
    return accepted({
      alarms: listed.map(({ nodeRef, alarmType }, index) => {
        const { kind = '', reason = '', message = '' } = outcomes[index] ?? {};
        const code = kind === '' ? 202 : (REFUSED[kind] ?? 400);
        return { nodeId: nodeRef, alarmType, code, ...(kind !== '' && { reason, message }) };
      }),
    });
  };
  return {
    '/alarms': {
      GET: {
        schema: docs.list,
        answer: async ({ query, options }) =>
          document((await nodes.listAlarms({ arguments: { ...query } }, options)).json),
      },
    },
    '/alarms/acknowledge': {
      POST: {
        schema: docs.acknowledgeListed,
        body: 'json',
        answer: (call) => change(call, AlarmAction.ALARM_ACTION_ACKNOWLEDGE, commentOf),
      },
    },
    '/alarms/clear': {
      POST: {
        schema: docs.clearListed,
        body: 'json',
        answer: (call) => change(call, AlarmAction.ALARM_ACTION_CLEAR, () => ''),
      },
    },
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

/** Single entries are refused with these statuses. */
const REFUSED: Readonly<Record<string, number>> = { not_found: 404, permission_denied: 403, invalid_argument: 400 };

/** @throws DomainError invalid_argument */
function listedAlarms(body: unknown): { nodeRef: string; alarmType: string }[] {
  const { alarms } = asObject(body);
  if (!Array.isArray(alarms) || alarms.length === 0 || alarms.length > ALARMS_MAX)
    throw invalid('INVALID_ATTRIBUTE', `alarms: must be an array of 1 to ${ALARMS_MAX} entries`);
  return alarms.map((entry: unknown, index) => {
    const isObject = typeof entry === 'object' && entry !== null;
    const { nodeId, alarmType } = (isObject ? entry : {}) as Record<string, unknown>;
    const wrong = [
      ['nodeId', nodeId],
      ['alarmType', alarmType],
    ].find(([, value]) => typeof value !== 'string' || value === '');
    if (wrong) throw invalid('INVALID_ATTRIBUTE', `alarms[${index}].${wrong[0]}: must be a string that is not empty`);
    return { nodeRef: nodeId as string, alarmType: alarmType as string };
  });
}
