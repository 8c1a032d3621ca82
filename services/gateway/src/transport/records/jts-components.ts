import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ANNOTATION_MAX, READING } from '@catchment/query';
import { type Component, string, time } from '../openapi/schema-parts.ts';

const { code } = API_SCHEMAS.quality.properties.codes.items.properties;
const bound = (description: string) => ({ ...time, type: ['string', 'null'], description });
const value = { description: 'A number, text, `{"$time": …}` or `{"$coords": [latitude, longitude]}`; null = none.' };

/** Parts of a record. */
export const QUALITY = { ...code, type: ['integer', 'null'], description: 'Quality code.' };
export const ANNOTATION = { type: ['string', 'null'], maxLength: ANNOTATION_MAX, description: 'Annotation.' };

/** Records of a JTS document. */
const RECORDS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['ts', 'f'],
    properties: {
      ts: {
        type: ['string', 'integer', 'object'],
        description:
          'Read: ISO 8601 in the zone of the request, or as `timeFormat` says. Written: ISO 8601, `{"$time": …}`, `{"$millis": …}` or Unix milliseconds.',
        examples: ['2024-08-16T02:00:39.000Z'],
      },
      f: {
        type: 'object',
        additionalProperties: {
          type: ['object', 'null'],
          properties: {
            v: value,
            q: QUALITY,
            a: ANNOTATION,
          },
        },
      },
    },
  },
} as const;

/** Documents of records. */
export const JTS_COMPONENTS: readonly Component[] = [
  {
    $id: 'Jts',
    type: 'object',
    description: 'JSON time series: columns by index, rows by time.',
    required: ['docType', 'data'],
    properties: {
      docType: { const: 'jts' },
      version: { type: 'string', examples: ['1.0'] },
      header: {
        type: 'object',
        properties: {
          startTime: bound(
            'Of a read: as it was asked for, else the time of the first record; null when there is none.',
          ),
          endTime: bound('Of a read: as it was asked for, else the time of the last record; null when there is none.'),
          recordCount: { type: 'integer' },
          next: string(
            'Of a read with `timeQuery=MODIFIED` and a limit: the argument `after` of the request that goes on. Absent where there is nothing more.',
          ),
          columns: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: {
                id: string('Parameter, or on a write `@customId`.'),
                series: string('Key of a column on a data source, used when there is no id.', 'air_temp'),
                name: string('Name of the parameter.', 'Air temperature'),
                dataType: { type: 'string', enum: ['NUMBER', 'TEXT', 'TIME', 'COORDINATES'] },
                units: string('Unit.', '°C'),
                renderType: { ...READING.renderType.schema, description: 'Of a read.' },
                format: string('Of a read: how numbers are shown.', '0.00'),
                aggregate: string('Of a read.', 'AVERAGE'),
                percentile: { type: 'number', description: 'Of a read.' },
                baseTime: string('Of a read with intervals.', 'D'),
                interval: string('Of a read with intervals.', '1H'),
                baselineType: string('Of a read.', 'RELATIVE'),
              },
            },
          },
        },
      },
      data: RECORDS,
      was: {
        ...RECORDS,
        description:
          'Of a write with `writeMode=MERGE_UPDATE_EXISTING` to one node: the records that its writer has read at the times of `data`, as it has read them. Where others are stored by now, nothing is written: 412.',
        'x-extension': true,
      },
    },
    examples: [
      {
        docType: 'jts',
        version: '1.0',
        header: { columns: { 0: { series: 'air_temp', name: 'Air temperature', units: '°C' } } },
        data: [{ ts: '2024-08-16T02:00:39.000Z', f: { 0: { v: 28.2, q: 100 } } }],
      },
    ],
  },
];
