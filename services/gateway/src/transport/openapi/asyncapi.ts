import { ALARM_TYPES, EVENT_ALARM_STATES, WEBHOOK } from '@catchment/query';
import { objectId } from './parts.ts';

type Json = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, unknown>>;

const DESCRIPTION = `What Catchment sends by itself: streams of server-sent events, webhooks, and topics of Kafka. Requests and their answers are in
\`/api/v1/openapi.json\`.

Events are sent in the order in which they were recorded, each at least once: the id of an event, and of its CloudEvent, is the same every time.`;

const ref = (path: string): Json => ({ $ref: `#/${path}` });
const schema = (name: string) => ref(`components/schemas/${name}`);
/** The `attr` of the stream asks for the whole or for parts. */
const wholeOrPart = (name: string): Json => ({ anyOf: [schema(name), schema(`${name}Part`)] });
const text = (description: string, ...examples: string[]): Json => ({
  type: 'string',
  description,
  ...(examples.length > 0 && { examples }),
});

const CLOUD_EVENT: Json = {
  type: 'object',
  description: 'CloudEvents 1.0.',
  required: ['specversion', 'id', 'source', 'type'],
  properties: {
    specversion: { const: '1.0' },
    id: text('Unique within its source; the same whenever it is sent again.', '53eada0ada91110000000046'),
    source: text('The account.', '/owners/53eada0ada91110000000001'),
    type: text('What it is about.', 'io.catchment.event.recorded.v1'),
    time: { type: 'string', format: 'date-time' },
    subject: text('The node; absent in what is about the account.', '/nodes/53eada0ada91110000000002'),
    datacontenttype: { const: 'application/json' },
    data: { type: 'object' },
  },
};

/** Describes a CloudEvent of a type, with its data. */
const cloudEvent = (type: string, data?: Json): Json => ({
  allOf: [schema('CloudEvent'), { properties: { type: { const: type }, ...(data && { data }) } }],
});
const object = (properties: Json): Json => ({ type: 'object', properties });

const instant = { type: 'string', format: 'date-time' };
const revision = { type: 'integer', description: 'Grows with each change of the state and the alarms of the node.' };
const OF_NODE = { nodeId: objectId, ownerId: objectId };
const OF_SERIES = { ...OF_NODE, workspaceId: objectId, sourceId: objectId, username: text('Who has written.') };

const SCHEMAS: Schemas = {
  CloudEvent: CLOUD_EVENT,
  EventCloudEvent: cloudEvent('io.catchment.event.recorded.v1', schema('Event')),
  WebhookTestCloudEvent: cloudEvent('io.catchment.webhook.tested.v1'),
  AlarmCloudEvent: cloudEvent(
    'io.catchment.alarm.changed.v1',
    object({
      ...OF_NODE,
      revision,
      alarmType: { enum: ALARM_TYPES },
      alarmState: { enum: EVENT_ALARM_STATES },
      message: text('Of the alarm.', 'Level is HIGH: 7.3 m at 2024-05-15 10:47:00'),
      categoryId: objectId,
      activeTime: instant,
      acknowledgeTime: { ...instant, description: 'This and the next two: of an alarm that was acknowledged.' },
      acknowledgeUsername: text('Who has acknowledged it.', 'jo@example.org'),
      acknowledgeComment: text('Why.'),
    }),
  ),
  StateCloudEvent: cloudEvent(
    'io.catchment.state.changed.v1',
    object({
      ...OF_NODE,
      revision,
      stateId: { type: ['string', 'null'], description: 'null = no state.' },
      eventTime: { ...instant, description: 'Time of the record.' },
    }),
  ),
  RecordsWrittenCloudEvent: cloudEvent(
    'io.catchment.records.written.v1',
    object({
      ...OF_SERIES,
      valueType: { enum: ['NUMBER', 'TEXT', 'TIME', 'COORDINATES'] },
      mode: { enum: ['REPLACE', 'UPDATE'], description: 'UPDATE: only the parts that a record has are others now.' },
      records: {
        type: 'array',
        maxItems: 1_000,
        items: object({ ts: instant, v: {}, q: { type: ['integer', 'null'] }, a: { type: ['string', 'null'] } }),
      },
    }),
  ),
  RecordsDeletedCloudEvent: cloudEvent(
    'io.catchment.records.deleted.v1',
    object({
      ...OF_SERIES,
      times: {
        type: 'array',
        items: instant,
        description: 'Of the records. Without times and bounds: all of the series.',
      },
      startTime: instant,
      endTime: instant,
    }),
  ),
  EventBatch: {
    type: 'array',
    minItems: 1,
    maxItems: WEBHOOK.batchMax,
    items: { anyOf: [schema('EventCloudEvent'), schema('WebhookTestCloudEvent')] },
  },
  StandardWebhookHeaders: {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    properties: {
      'webhook-id': text('The same in all tries of a delivery.', '53eada0ada91110000000046'),
      'webhook-timestamp': text('Unix seconds of the try.', '1723773639'),
      'webhook-signature': text(
        'HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the secret, in Base64; one for each secret that holds.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    },
  },
  RemovedNode: {
    type: 'object',
    required: ['_id'],
    properties: { _id: text('Of the node.', '53eada0ada91110000000002') },
  },
  StreamEnd: {
    type: 'object',
    required: ['reason', 'message'],
    properties: { reason: text('For programs.', 'STOPPING'), message: text('For people: why, and what to do.') },
  },
};

const message = (name: string, payload: Json, summary: string, more: Json = {}): Json => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  payload,
  ...more,
});

/** Message of a topic: a CloudEvent in structured mode. */
const IN_TOPIC: Json = {
  contentType: 'application/cloudevents+json',
  bindings: { kafka: { key: { type: 'string', description: 'The id of the account.' }, bindingVersion: '0.5.0' } },
};

const MESSAGES: Readonly<Record<string, Json>> = {
  event: message('event', wholeOrPart('Event'), 'An event, as `GET /events` shows it.'),
  node: message('node', wholeOrPart('Node'), 'A node that has changed, as `GET /nodes` shows it.'),
  removed: message('removed', schema('RemovedNode'), 'A node that is deleted, or that the stream no longer has.'),
  reset: message('reset', { type: 'object' }, 'All nodes of the stream follow.'),
  end: message('end', schema('StreamEnd'), 'The last message of a stream that the server ends.'),
  delivery: message('delivery', schema('EventBatch'), 'A batch of CloudEvents, signed as Standard Webhooks have it.', {
    contentType: 'application/cloudevents-batch+json',
    headers: schema('StandardWebhookHeaders'),
  }),
  recordedEvent: message('recordedEvent', schema('EventCloudEvent'), 'An event of the log.', IN_TOPIC),
  alarmChanged: message('alarmChanged', schema('AlarmCloudEvent'), 'An alarm of a node has changed.', IN_TOPIC),
  stateChanged: message('stateChanged', schema('StateCloudEvent'), 'The state of a node has changed.', IN_TOPIC),
  recordsWritten: message('recordsWritten', schema('RecordsWrittenCloudEvent'), 'Records were stored.', IN_TOPIC),
  recordsDeleted: message('recordsDeleted', schema('RecordsDeletedCloudEvent'), 'Records are gone.', IN_TOPIC),
};

type Channel = {
  /** null: whoever receives says where. */
  readonly address: string | null;
  readonly server?: 'api' | 'kafka';
  readonly messages: readonly (keyof typeof MESSAGES)[];
  readonly description: string;
};

const topic = (name: string, messages: Channel['messages'], what: string): Channel => ({
  address: `{prefix}.${name}`,
  server: 'kafka',
  messages,
  description: `${what}, where the operator has configured Kafka.`,
});

const CHANNELS: Readonly<Record<string, Channel>> = {
  eventStream: {
    address: '/api/v1/events/stream',
    server: 'api',
    messages: ['event', 'end'],
    description: 'Server-sent events of the account. `Last-Event-ID` goes on after a message.',
  },
  nodeStream: {
    address: '/api/v1/nodes/stream',
    server: 'api',
    messages: ['node', 'removed', 'reset', 'end'],
    description: 'Server-sent events: nodes as they change. `Last-Event-ID` goes on after a message.',
  },
  webhook: {
    address: null,
    messages: ['delivery'],
    description: 'POST to the URL of a webhook, which is made at `/api/v1/owners/account/webhooks`.',
  },
  eventTopic: topic('events', ['recordedEvent'], 'Events of all accounts'),
  alarmTopic: topic('alarms', ['alarmChanged', 'stateChanged'], 'Changes of alarms and states'),
  recordTopic: topic('records', ['recordsWritten', 'recordsDeleted'], 'Records as they are stored'),
};

function channelOf({ address, server, messages, description }: Channel): Json {
  return {
    address,
    description,
    ...(server && { servers: [ref(`servers/${server}`)] }),
    ...(address?.includes('{prefix}') && { parameters: { prefix: { description: '`KAFKA_TOPIC_PREFIX`.' } } }),
    messages: Object.fromEntries(messages.map((name) => [name, ref(`components/messages/${name}`)])),
  };
}

const operationOf = ([name, { messages, server }]: readonly [string, Channel]): readonly [string, Json] => [
  `send${name[0]?.toUpperCase()}${name.slice(1)}`,
  {
    action: 'send',
    channel: ref(`channels/${name}`),
    messages: messages.map((message) => ref(`channels/${name}/messages/${message}`)),
    ...(server !== 'kafka' && { bindings: { http: { method: server ? 'GET' : 'POST', bindingVersion: '0.3.0' } } }),
  },
];

/**
 * Returns AsyncAPI 3.0 of what is pushed (docs/reference/events.md#asyncapi).
 * @param openApi has the schemas of events and nodes
 */
export function asyncApiOf(openApi: { components?: { schemas?: Schemas } }, baseUrl: string | undefined): Json {
  const known = { ...openApi.components?.schemas, ...SCHEMAS };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Catchment',
      version: '1.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { api: apiServer(baseUrl), kafka: KAFKA },
    channels: Object.fromEntries(Object.entries(CHANNELS).map(([name, channel]) => [name, channelOf(channel)])),
    operations: Object.fromEntries(Object.entries(CHANNELS).map(operationOf)),
    components: {
      messages: MESSAGES,
      schemas: reachable(known, { MESSAGES, SCHEMAS }),
      securitySchemes: { apiKey: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key' } },
    },
  };
}

function apiServer(baseUrl: string | undefined): Json {
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  return {
    host: url?.host ?? '{host}',
    protocol: url?.protocol.slice(0, -1) ?? 'https',
    ...(!url && { variables: { host: { description: 'Where this document is from.' } } }),
    security: [ref('components/securitySchemes/apiKey')],
  };
}

const KAFKA: Json = {
  host: '{broker}',
  protocol: 'kafka',
  description: 'The brokers of the operator.',
  variables: { broker: { description: 'One of `KAFKA_BROKERS`.' } },
};

/** Returns the schemas that others lead to. */
function reachable(known: Schemas, from: unknown): Schemas {
  const names = new Set<string>();
  const follow = (json: unknown): void => {
    for (const [, name = ''] of JSON.stringify(json).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      if (names.has(name) || known[name] === undefined) continue;
      names.add(name);
      follow(known[name]);
    }
  };
  follow(from);
  return Object.fromEntries([...names].sort().map((name) => [name, withoutDiscriminator(known[name] as Json)]));
}

/** AsyncAPI has another form of it; the words of `_class` distinguish the classes without it. */
function withoutDiscriminator({ discriminator: _discriminator, ...schema }: Json): Json {
  return schema;
}
