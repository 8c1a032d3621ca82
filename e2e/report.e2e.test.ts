import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPdf, until } from '@catchment/testkit';
import { type Api, jts, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const pdfPages = async (bytes: Uint8Array): Promise<readonly string[]> => (await readPdf(bytes)).pages;

let installation: Installation;
let api: Api;
let site: Awaited<ReturnType<Api['createSite']>>;
let levelId: string;

const RANGE = {
  statesType: 'RANGE',
  states: [{ name: 'NORMAL' }, { name: 'FLOOD', threshold: 2, isAlarm: true }],
};

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
  site = await api.createSite();
  const { sourceId } = site;
  const level = { name: 'level', series: 'level', units: 'm', format: '0.00', parentId: sourceId };
  levelId = (await api.create({ _class: `${MODEL}.point.NumberPoint`, ...level, ...RANGE }))._id;
  const rows = [
    ['2024-03-30T10:00:00Z', 1.25],
    ['2024-03-31T00:30:00Z', 2.5],
    ['2024-04-02T10:00:00Z', 1.5],
  ] as const;
  expect((await api.put(`/nodes/${sourceId}/historic?notifyOn=ALL_NEWER`, jts(['level'], rows, 'm'))).status).toBe(202);
  const range = 'startTime=2024-01-01T00:00:00Z&endTime=2024-12-31T00:00:00Z';
  await until(async () => (await api.get(`/nodes/${levelId}/events?${range}`)).text.includes('"CLEARED"'), {
    everyMs: 200,
    what: 'the alarm is over',
  });
  await until(
    async () => {
      const { currentValue, alarms } = (await api.get(`/nodes/${levelId}`)).json;
      return currentValue === 1.5 && alarms.stateAlarm.status.alarmState === 'CLEARED';
    },
    { what: 'the node shows it' },
  );
});
afterAll(() => installation?.stop());

const reportOf = async (more: Record<string, unknown>): Promise<string> =>
  (await api.create({ _class: `${MODEL}.Report`, parentId: site.locationId, ...more }))._id;

const TEXT = { type: 'TEXT', x: 0, y: 0, width: 500, height: 20 };

test('a report without a template shows values, alarms and a chart of what is below its Location', async () => {
  const id = await reportOf({ name: 'Übersicht' });
  const { status, headers, bytes } = await api.get(`/nodes/${id}/report`);
  expect({ status, type: headers.get('content-type'), caching: headers.get('cache-control') }).toEqual({
    status: 200,
    type: 'application/pdf',
    caching: 'no-store',
  });
  expect(headers.get('content-disposition')).toBe(
    `inline; filename="_bersicht.pdf"; filename*=UTF-8''%C3%9Cbersicht.pdf`,
  );
  const [page] = await pdfPages(bytes);
  expect(page).toMatch(/level\s+1\.50\s+m\s+NORMAL\s+2024-04-02 10:00/);
  expect(page).toContain('No alarm is active.');
  expect(page).toContain('Page 1 of 1');
});

test('values, states, alarms and times are those of nowTime, in the zone that is asked for', async () => {
  const content =
    '{{ Level.currentValueFormatted }} {{ Level.currentStateName }} {{ Level.alarms.stateAlarm.status.alarmState }} ' +
    '{{ report_time | time: "YYYY-MM-DD HH:mm" }} {{ Level.locationName }}';
  const id = await reportOf({
    name: 'Then',
    timezone: 'Europe/Berlin',
    links: [{ nodeId: levelId, name: 'Level' }],
    template: { elements: [{ ...TEXT, content }] },
  });
  const textAt = async (query: string) =>
    (await pdfPages((await api.get(`/nodes/${id}/report?${query}`)).bytes))[0]?.trim();
  expect(await textAt('nowTime=2024-03-31T00:59:00Z')).toBe('2.50 FLOOD ACTIVE 2024-03-31 01:59 Location');
  expect(await textAt('nowTime=2024-03-31T01:00:00Z')).toBe('2.50 FLOOD ACTIVE 2024-03-31 03:00 Location');
  expect(await textAt('nowTime=2024-03-31T01:00:00Z&timezoneAdjustForDst=false')).toContain('2024-03-31 02:00');
  expect(await textAt('nowTime=2024-03-31T01:00:00Z&timezone=Asia/Kolkata')).toContain('2024-03-31 06:30');
  expect(await textAt('nowTime=2024-03-30T12:00:00Z')).toBe('1.25 NORMAL CLEARED 2024-03-30 13:00 Location');
  expect(await textAt('nowTime=2024-04-03T00:00:00Z')).toBe('1.50 NORMAL CLEARED 2024-04-03 02:00 Location');
  expect(await textAt('nowTime=2020-01-01T00:00:00Z')).toBe('CLEARED 2020-01-01 01:00 Location');
});

test('what cannot be printed is left out, nothing is fetched, and one WARNING event reports it', async () => {
  const requests: string[] = [];
  const server = createServer(({ url }, response) => {
    requests.push(url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}`;
  const hostile = `<script>fetch("${at}/script")</script><img src="${at}/img"><link rel="stylesheet" href="${at}/css">`;
  const id = await reportOf({
    name: 'Hostile',
    template: {
      elements: [
        { ...TEXT, height: 60, content: hostile },
        { ...TEXT, y: 100, content: '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}' },
        { ...TEXT, y: 130, content: '{{ Gone.name }}after' },
        { type: 'IMAGE', x: 0, y: 200, width: 50, height: 50, source: `${at}/picture.png` },
        { type: 'IMAGE', x: 0, y: 260, width: 50, height: 50, source: 'file:///etc/passwd' },
      ],
    },
  });
  const { bytes, status } = await api.get(`/nodes/${id}/report`);
  expect(status).toBe(200);
  const [page] = await pdfPages(bytes);
  expect(page?.replaceAll(/\s/g, '')).toContain(hostile.replaceAll(/\s/g, ''));
  expect(page).toContain('after');
  const events = async () =>
    (await api.get(`/nodes/${id}/events?startTime=2024-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z`)).json as {
      level: string;
      message: string;
    }[];
  await until(async () => (await events()).some(({ level }) => level === 'WARNING'), {
    everyMs: 100,
    what: 'the event of the mistakes',
  });
  expect((await events()).filter(({ level }) => level === 'WARNING')).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^Report printed with mistakes: .* \(and 2 more\)$/) }),
  ]);
  expect(requests).toEqual([]);
  server.close();
});

test('a picture among the attachments is printed; of what is no Report there is none', async () => {
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const attachment = await api.upload(site.locationId, dot, 'dot.png');
  const id = await reportOf({
    name: 'Picture',
    links: [{ nodeId: attachment._id, name: 'Dot' }],
    template: {
      elements: [
        { type: 'IMAGE', x: 0, y: 0, width: 50, height: 50, source: '{{ Dot.image }}' },
        { type: 'IMAGE', x: 0, y: 60, width: 50, height: 50, source: attachment._id },
      ],
    },
  });
  const { bytes } = await api.get(`/nodes/${id}/report`);
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length).toBeGreaterThan(0);
  expect(await api.get(`/nodes/${site.locationId}/report`)).toMatchObject({ status: 400 });
  expect(await api.get(`/nodes/${'0'.repeat(24)}/report`)).toMatchObject({ status: 404 });
  expect((await api.get(`/nodes/${id}/report?timezone=Mars/Olympus`)).json.error.message).toContain('timezone');
  expect((await api.get(`/nodes/${id}/report?nowTime=yesterday`)).json.error.message).toContain('nowTime');
  expect((await (await installation.otherAccount()).get(`/nodes/${id}/report`)).status).toBe(404);
});
