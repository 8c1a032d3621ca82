import { ALARM_CHOICE, ALARM_LIST, ALARM_TYPES, ALARMS_MAX, RAISED_STATES } from '@catchment/query';
import { ACCEPTED, json, operation, UNCHANGED } from '../openapi/parts.ts';

const tag = 'Alarms';
/** An acknowledge comment has this many characters (docs/reference/limits.md). */
export const COMMENT_MAX = 500;

export const acknowledge = operation({
  id: 'acknowledgeAlarms',
  tag,
  summary: 'Acknowledge active alarms',
  description: 'Of a Location, source or parameter. The body may be left out.',
  withId: true,
  query: ALARM_CHOICE,
  body: {
    type: 'object',
    properties: { comment: { type: 'string', maxLength: COMMENT_MAX } },
    examples: [{ comment: 'on my way' }],
  },
  success: ACCEPTED,
});

export const clear = operation({
  id: 'clearAlarms',
  tag,
  summary: 'Clear alarms',
  description: 'Of a Location, source or parameter.',
  withId: true,
  query: ALARM_CHOICE,
  success: ACCEPTED,
});

const TEXT = { type: 'string' };
const extension = true;

export const list = operation({
  id: 'listAlarms',
  tag,
  summary: 'List the alarms that are raised',
  description: 'Those of all nodes that the caller may see, newest `activeTime` first.',
  query: ALARM_LIST,
  success: json(200, 'A page of alarms.', {
    type: 'object',
    required: ['alarms', 'next'],
    properties: {
      alarms: {
        type: 'array',
        items: {
          type: 'object',
          required: ['nodeId', 'path', 'alarmType', 'alarmState'],
          properties: {
            nodeId: TEXT,
            path: TEXT,
            locationId: { type: 'string', description: 'The Location that the node is, or lies in.' },
            alarmType: { enum: ALARM_TYPES },
            alarmState: { enum: RAISED_STATES },
            message: TEXT,
            categoryId: TEXT,
            activeTime: TEXT,
            acknowledgeTime: TEXT,
            acknowledgeUsername: TEXT,
            acknowledgeComment: TEXT,
          },
        },
      },
      next: { type: ['string', 'null'], description: 'The `after` of the page that follows; null: there is none.' },
    },
  }),
  others: UNCHANGED,
  extension,
});

const LISTED = {
  alarms: {
    type: 'array',
    minItems: 1,
    maxItems: ALARMS_MAX,
    items: {
      type: 'object',
      required: ['nodeId', 'alarmType'],
      properties: {
        nodeId: { ...TEXT, description: 'The `_id`, or `@` and the customId.' },
        alarmType: { enum: ALARM_TYPES },
      },
    },
  },
};
const OUTCOMES = json(202, 'What became of each entry, in the order of the request.', {
  type: 'object',
  properties: {
    status: { type: 'object', properties: { code: { type: 'integer' }, message: TEXT } },
    alarms: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          nodeId: TEXT,
          alarmType: TEXT,
          code: { type: 'integer', description: '202, or why it was refused: 400, 403, 404.' },
          reason: TEXT,
          message: TEXT,
        },
      },
    },
  },
});
const EXAMPLE = [{ nodeId: '53eada0ada91110000000046', alarmType: 'stateAlarm' }];

export const acknowledgeListed = operation({
  id: 'acknowledgeListedAlarms',
  tag,
  summary: 'Acknowledge alarms of several nodes',
  description: 'An entry whose alarm is not ACTIVE is left as it is.',
  body: {
    type: 'object',
    required: ['alarms'],
    properties: { ...LISTED, comment: { type: 'string', maxLength: COMMENT_MAX } },
    examples: [{ alarms: EXAMPLE, comment: 'on my way' }],
  },
  success: OUTCOMES,
  extension,
});

export const clearListed = operation({
  id: 'clearListedAlarms',
  tag,
  summary: 'Clear alarms of several nodes',
  description: 'An entry whose alarm is not raised is left as it is.',
  body: { type: 'object', required: ['alarms'], properties: LISTED, examples: [{ alarms: EXAMPLE }] },
  success: OUTCOMES,
  extension,
});
