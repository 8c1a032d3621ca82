import type { Answer } from '../api.ts';
import { AnswerSchemas } from './answer-schemas.ts';

const json = (schema: Record<string, unknown>) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kind = (name: string, more: object = {}) => ({
  type: 'object',
  required: ['_class'],
  properties: { _class: { enum: [name] }, ...more },
});
const schemas = new AnswerSchemas({
  paths: {
    '/api/v1/nodes/{id}': {
      get: {
        responses: {
          200: json({ anyOf: [ref('Node'), ref('NodePart')] }),
          304: {},
          404: { $ref: '#/components/responses/Failure404' },
        },
      },
    },
    '/api/v1/nodes/stream': { get: { responses: { 200: { content: { 'text/event-stream': { schema: {} } } } } } },
  },
  components: {
    responses: { Failure404: json({ type: 'object', properties: { error: { type: 'string' } } }) },
    schemas: {
      Node: {
        type: 'object',
        required: ['_class'],
        discriminator: { propertyName: '_class', mapping: { Group: '#/components/schemas/Group' } },
        oneOf: [ref('Group'), ref('Point')],
      },
      Group: kind('Group'),
      Point: kind('Point', { units: { type: 'string' } }),
      NodePart: { type: 'object', properties: { _class: { type: 'string' }, units: { type: 'string' } } },
    },
  },
});
const answer = (status: number, body: unknown, type = 'application/json'): Answer => ({
  status,
  headers: new Headers({ 'content-type': type }),
  text: body === '' ? '' : JSON.stringify(body),
  json: body,
  bytes: Buffer.alloc(0),
});

test.each([
  ['GET', '/nodes/1', answer(200, { _class: 'Point', units: 'm' }), undefined],
  ['GET', '/nodes/1', answer(200, { _class: 'Group', units: 'm' }), 'must NOT have additional properties'],
  ['GET', '/nodes/1', answer(200, { _class: 'Chart' }), 'must be in oneOf'],
  ['GET', '/nodes/1', answer(200, { units: 'm' }), "must have required property '_class'"],
  ['GET', '/nodes/1?attr=units', answer(200, { units: 'm' }), undefined],
  ['GET', '/nodes/1?attr=units', answer(200, { unit: 'm' }), 'must NOT have additional properties'],
  ['GET', '/nodes/1', answer(404, { error: 'x' }), undefined],
  ['GET', '/nodes/1', answer(404, { error: 'x', more: 1 }), 'must NOT have additional properties'],
  ['GET', '/nodes/1', answer(304, ''), undefined],
  ['GET', '/nodes/1', answer(202, {}), 'the document has no answer 202'],
  ['GET', '/nodes/1', answer(200, {}, 'text/csv'), 'the document has no answer 200 of type text/csv'],
  ['GET', '/nodes/stream', answer(200, 'x', 'text/event-stream'), undefined],
  ['PATCH', '/nodes/1', answer(404, { error: 1 }), 'must be string'],
  ['HEAD', '/nodes/1', answer(200, ''), undefined],
] as const)('%s %s with %j: %s', (method, target, given, wrong) => {
  const found = schemas.wrongIn(method, target, given);
  if (wrong === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(wrong);
});
