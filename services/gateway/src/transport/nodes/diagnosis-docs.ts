import { CONTACT_WAYS, DIAGNOSIS_ADVICE, DIAGNOSIS_STATES, SHARED_WAYS } from '@catchment/query';
import { json, operation } from '../openapi/parts.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const TIME = { type: 'string', format: 'date-time' };
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };

const whole = (properties: Readonly<Record<string, object>>, description?: string) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...(description && { description }),
});
/** Null where it is not known. */
const known = (properties: Readonly<Record<string, object>>, description: string) => ({
  ...whole(properties, description),
  type: ['object', 'null'],
});

export const getDiagnosis = operation({
  id: 'getDiagnosis',
  tag: 'Nodes',
  summary: 'Why is it silent?',
  description:
    'Of a source; of a parameter that of its source; of a Location with one source that of it. What is not known is null. Others on the same way are counted and named only as far as the caller may see them.',
  withId: true,
  success: json(
    200,
    'What is known of the contacts of the source, and what to do.',
    whole({
      nodeId: { ...TEXT, description: 'The source.' },
      name: TEXT,
      time: { ...TIME, description: 'Of the diagnosis.' },
      state: whole({
        code: { enum: DIAGNOSIS_STATES },
        isSilent: { type: 'boolean' },
        sentence: { ...TEXT, description: 'The state in English.' },
      }),
      lastContact: known({ time: TIME, way: { enum: CONTACT_WAYS } }, 'When the source was heard of last, and how.'),
      contacts: {
        type: 'array',
        items: TIME,
        description: 'Recent contacts, newest first; what comes within a minute is one.',
      },
      usualInterval: known(
        { seconds: COUNT, from: { enum: ['CONTACTS', 'SCHEDULE'] } },
        'The median time between recent contacts, or that of the schedule.',
      ),
      silentSeconds: { type: ['integer', 'null'], description: 'Since the last contact.' },
      lastRecordTime: { ...TIME_OR_NULL, description: 'Of the newest record of its parameters.' },
      lastFile: known(
        {
          name: TEXT,
          time: { ...TIME, description: 'When it was read, or refused.' },
          sizeBytes: COUNT,
          lines: { ...COUNT, description: 'With data.' },
          parsed: { ...COUNT, description: 'Of them, those that were read.' },
          records: COUNT,
          unreadableFields: { ...COUNT, description: 'Of lines that were read.' },
          firstError: { type: ['string', 'null'] },
          refusal: { type: ['string', 'null'], description: 'The reason, of a file that was refused whole.' },
        },
        'The last file that was read or refused.',
      ),
      nextTry: { ...TIME_OR_NULL, description: 'When the source is asked next.' },
      clock: known(
        {
          aheadSeconds: { type: 'integer', description: 'Negative: it is slow.' },
          from: { enum: ['LOGGER', 'RECORDS'] },
        },
        "The device's clock against ours, as the logger reported it, or by the times of its records.",
      ),
      lastError: known(
        {
          code: {
            ...TEXT,
            description: 'CONNECTION_FAILED, ACQUISITION_FAILED, REFUSED, or the reason of a refused file.',
          },
          message: TEXT,
          time: TIME,
        },
        'What went wrong last; it may be over.',
      ),
      device: known(
        { _id: TEXT, isConnected: { type: 'boolean' }, lastConnectedTime: TIME_OR_NULL },
        'The device that the transport names.',
      ),
      peers: known(
        {
          by: { enum: SHARED_WAYS },
          total: {
            ...COUNT,
            description: 'Other sources on the same device, server or transport that the caller may see.',
          },
          silent: COUNT,
          hasMore: { type: 'boolean', description: 'There are more than were looked at.' },
          named: {
            type: 'array',
            items: whole({ nodeId: TEXT, name: TEXT, lastTime: TIME_OR_NULL }),
            description: 'Some of those that are silent.',
          },
        },
        'Others on the same way.',
      ),
      advice: {
        type: 'array',
        items: whole({ code: { enum: DIAGNOSIS_ADVICE }, sentence: TEXT }),
        description: 'What to do, in this order.',
      },
      unknown: {
        type: 'array',
        items: { enum: ['DEVICES', 'EVENTS'] },
        description: 'What could not be asked at the moment: facts that it knows are missing.',
      },
    }),
  ),
  extension: true,
});
