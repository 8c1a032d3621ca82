import { WEBHOOK } from '@catchment/query';

type Json = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, unknown>>;

const DESCRIPTION = `What Catchment sends by itself: streams of server-sent events, webhooks, and topics of Kafka. Requests and their answers are in
\`/api/v1/openapi.json\`.

Events are sent in the order in which they were recorded, each at least once: the id of an event, and of its CloudEvent, is the same every time.`;

const ref = (path: string): Json => ({ $ref: `#/${path}` });
const schema = (name: string) => ref(`components/schemas/${name}`);
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

const SCHEMAS: Schemas = {
  CloudEvent: CLOUD_EVENT,
  EventCloudEvent: {
    allOf: [
      schema('CloudEvent'),
      { properties: { type: { const: 'io.catchment.event.recorded.v1' }, data: schema('Event') } },
    ],
  },
  WebhookTestCloudEvent: {
    allOf: [schema('CloudEvent'), { properties: { type: { const: 'io.catchment.webhook.tested.v1' } } }],
  },
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

const CLOUD_EVENTS = { contentType: 'application/cloudevents+json' };

const MESSAGES: Readonly<Record<string, Json>> = {
  event: message('event', schema('Event'), 'An event, as `GET /events` shows it.'),
  node: message('node', schema('Node'), 'A node that has changed, as `GET /nodes` shows it.'),
  removed: message('removed', schema('RemovedNode'), 'A node that is deleted, or that the stream no longer has.'),
  end: message('end', schema('StreamEnd'), 'The last message of a stream that the server ends.'),
  delivery: message('delivery', schema('EventBatch'), 'A batch of CloudEvents, signed as Standard Webhooks have it.', {
    contentType: 'application/cloudevents-batch+json',
    headers: schema('StandardWebhookHeaders'),
  }),
  recordedEvent: message('recordedEvent', schema('EventCloudEvent'), 'An event of the log.', CLOUD_EVENTS),
  transition: message('transition', schema('CloudEvent'), 'A change of an alarm or a state.', CLOUD_EVENTS),
  records: message('records', schema('CloudEvent'), 'Records that were stored or deleted.', CLOUD_EVENTS),
};

type Channel = {
  /** null: whoever receives says where. */
  readonly address: string | null;
  readonly server?: 'api' | 'kafka';
  readonly messages: readonly (keyof typeof MESSAGES)[];
  readonly description: string;
};

const topic = (name: string, of: string, what: string): Channel => ({
  address: `{prefix}.${name}`,
  server: 'kafka',
  messages: [of],
  description: `${what}, where the operator has configured Kafka. The key of a record is the id of the account.`,
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
    messages: ['node', 'removed', 'end'],
    description: 'Server-sent events: nodes as they change. `Last-Event-ID` goes on after a message.',
  },
  webhook: {
    address: null,
    messages: ['delivery'],
    description: 'POST to the URL of a webhook, which is made at `/api/v1/owners/account/webhooks`.',
  },
  eventTopic: topic('events', 'recordedEvent', 'Events of all accounts'),
  alarmTopic: topic('alarms', 'transition', 'Changes of alarms and states'),
  recordTopic: topic('records', 'records', 'Records as they are stored'),
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
    messages: messages.map((one) => ref(`channels/${name}/messages/${one}`)),
    ...(server !== 'kafka' && { bindings: { http: { method: server ? 'GET' : 'POST', bindingVersion: '0.3.0' } } }),
  },
];

/**
 * AsyncAPI 3.0 of what is pushed (docs/reference/events.md#asyncapi).
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
    channels: Object.fromEntries(Object.entries(CHANNELS).map(([name, one]) => [name, channelOf(one)])),
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

/** The schemas that others lead to. */
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
  return Object.fromEntries([...names].sort().map((name) => [name, known[name]]));
}
