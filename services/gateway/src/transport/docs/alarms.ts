import { ACCEPTED, operation, text } from './parts.ts';

const tag = 'Alarms';
const TYPES = text(
  'alarmTypes',
  'Comma-separated from communicationsAlarm, configurationAlarm, controlAlarm, dataAlarm, outdatedAlarm, overloadAlarm, processAlarm, qualityAlarm, stateAlarm. Default: all.',
  { example: 'stateAlarm' },
);

export const acknowledge = operation({
  id: 'acknowledgeAlarms',
  tag,
  summary: 'Acknowledge active alarms',
  description: 'Of a Location, source or parameter. The body may be left out.',
  withId: true,
  query: [TYPES],
  body: {
    type: 'object',
    properties: { comment: { type: 'string', maxLength: 500 } },
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
  query: [TYPES],
  success: ACCEPTED,
});
