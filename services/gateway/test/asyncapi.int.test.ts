import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { openGateway } from './fixture.ts';

type Json = Record<string, unknown>;
type AsyncApi = {
  servers: Record<string, Json>;
  channels: Record<string, { address: string | null; messages: Record<string, Json> }>;
  operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
};

async function documentOf(env: Record<string, string> = {}): Promise<{ text: string; document: AsyncApi }> {
  await using gateway = await openGateway({ env });
  const { status, text, headers } = await gateway.ask('/api/v1/asyncapi.json', { key: undefined });
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return { text, document: JSON.parse(text) };
}

/** Returns what a reference within the document leads to. */
const found = (document: unknown, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, part) => (at as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );

test('the document is valid AsyncAPI 3.0, and each of its references leads somewhere', async () => {
  const { text, document } = await documentOf();
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
    specs.schemasWithoutId['3.0.0'] as object,
  );
  validate(JSON.parse(text));
  expect(validate.errors).toBeNull();
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((reference) => found(document, reference) === undefined)).toEqual([]);
});

test('the streams, webhooks and topics are there, each with an operation that sends its messages', async () => {
  const { document } = await documentOf();
  expect(
    Object.entries(document.channels).map(([name, { address, messages }]) => [name, address, Object.keys(messages)]),
  ).toEqual([
    ['eventStream', '/api/v1/events/stream', ['event', 'end']],
    ['nodeStream', '/api/v1/nodes/stream', ['node', 'removed', 'reset', 'end']],
    ['webhook', null, ['delivery']],
    ['eventTopic', '{prefix}.events', ['recordedEvent']],
    ['alarmTopic', '{prefix}.alarms', ['alarmChanged', 'stateChanged']],
    ['recordTopic', '{prefix}.records', ['recordsWritten', 'recordsDeleted']],
  ]);
  for (const [name, { messages }] of Object.entries(document.channels)) {
    const operation = Object.values(document.operations).find(({ channel }) => channel.$ref === `#/channels/${name}`);
    expect([operation?.action, operation?.messages.map(({ $ref }) => $ref.split('/').at(-1))]).toEqual([
      'send',
      Object.keys(messages),
    ]);
  }
});

test('the document has the address and the classes of its installation', async () => {
  const { text, document } = await documentOf({ BASE_URL: 'https://data.example.org', CLASS_NAMESPACE: 'org.example' });
  expect(document.servers.api).toMatchObject({ host: 'data.example.org', protocol: 'https' });
  expect(text).toContain('org.example.models.event.Event');
  expect(text).not.toContain('io.svc');
});
