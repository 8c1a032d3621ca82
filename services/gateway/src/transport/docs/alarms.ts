import { ALARM_CHOICE } from '@catchment/query';
import { ACCEPTED, operation } from './parts.ts';

const tag = 'Alarms';
/** Characters of an acknowledge comment (docs/reference/limits.md). */
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
