import type { DownloadOptions, ReadOptions } from '../src/index.ts';
import { failed, fake } from './fake.ts';

const csv = (text: string): Response => new Response(text, { headers: { 'Content-Type': 'text/csv' } });
const YEAR = { format: 'CSV', start: '2024', end: '2025' } as const;

type Fake = ReturnType<typeof fake>;
async function downloaded({ client }: Fake, options: ReadOptions & DownloadOptions = YEAR): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of client().historic.download('@a', options)) text += decoder.decode(bytes, { stream: true });
  return text;
}

test('records come in a format of the server, with what it takes', async () => {
  const server = fake(csv('a'));
  const options = { ...YEAR, layout: 'LONG', quality: 'SEPARATE_VALUE', tz: 'Europe/Berlin', maxPoints: 8 } as const;
  expect(await downloaded(server, options)).toBe('a');
  expect(Object.fromEntries(server.query())).toEqual({
    params: '@a',
    format: 'CSV',
    layout: 'LONG',
    quality: 'SEPARATE_VALUE',
    maxPoints: '8',
    renderFormat: '',
    timezone: 'Europe/Berlin',
    timezoneAdjustForDst: 'TRUE',
    startTime: '2023-12-31T23:00:00.000Z',
    endTime: '2024-12-31T22:59:59.999Z',
  });
});

test('bytes are given while they come', async () => {
  const steps: string[] = [];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      steps.push('sent');
      if (steps.length > 4) controller.close();
      else controller.enqueue(new Uint8Array([65]));
    },
  });
  for await (const _ of fake(() => new Response(body))
    .client()
    .historic.download('@a', YEAR))
    steps.push('read');
  expect(steps.indexOf('read')).toBeLessThan(steps.lastIndexOf('sent'));
});

test('CSV that is too large comes in parts, in order, as one document', async () => {
  const answer = ({ url }: Request): Response => {
    const query = new URL(url).searchParams;
    const [from = '', to = ''] = [query.get('startTime') ?? '', query.get('endTime') ?? ''];
    if (Date.parse(to) - Date.parse(from) > 100 * 86_400_000) return failed(413);
    return csv(`${query.get('header') === 'FALSE' ? '' : 'header '}${from.slice(0, 10)} `);
  };
  expect(await downloaded(fake(answer))).toBe('header 2024-01-01 2024-04-01 2024-07-02 2024-10-01 ');
});

test.each([
  { ...YEAR, format: 'JSON' },
  { ...YEAR, maxPoints: 8 },
  { ...YEAR, aggregate: 'MAX', interval: '1D' },
  { format: 'CSV', limit: 10 },
] as const)('%j is no document in parts: too large is an error', async (options) => {
  const server = fake(failed(413));
  await expect(downloaded(server, options)).rejects.toMatchObject({ kind: 'too_large' });
  expect(server.requests).toHaveLength(1);
});

test('a refusal for a while is tried again, one behind the first byte is not', async () => {
  const busy = fake(failed(503), csv('a'));
  expect([await downloaded(busy), busy.requests.length]).toEqual(['a', 2]);
  let sent = 0;
  const cut = fake(() => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent === 1) controller.enqueue(new Uint8Array([65]));
        else controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body);
  });
  await expect(downloaded(cut)).rejects.toMatchObject({ kind: 'transport' });
  expect(cut.requests).toHaveLength(1);
});

test('events of the past are of the types that are asked for', async () => {
  const server = fake(new Response('[]'));
  for await (const _ of server.client().events.list({ types: ['ALARM', 'STATE'], filter: 'level($eq:INFO)' })) void _;
  expect(server.query().get('filter')).toBe(
    'alarmState($ne:NONE),level($eq:INFO)|eventType($eq:STATE),level($eq:INFO)',
  );
});
