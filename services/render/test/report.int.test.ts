import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Egress, readRanges } from '@catchment/egress';
import { pdfAsPng, readPdf, until } from '@catchment/testkit';
import sharp from 'sharp';
import type { Chromium } from '../src/clients/report/chromium/chromium.ts';
import { printReports } from '../src/clients/report/chromium/print-reports.ts';
import { webPictures } from '../src/clients/report/web-pictures.ts';
import { type ReportDeps, renderReport } from '../src/usecases/render-report.ts';
import { callOf, chromiumOf, NOW_MS, parameterLink, reportOf, type World, world } from './report-fixture.ts';

let chromium: Chromium;
let made: World;
beforeAll(async () => {
  chromium = await chromiumOf();
  made = await world(chromium);
});
afterAll(async () => {
  await made?.close();
  await chromium?.close();
});
beforeEach(() => {
  made.report = reportOf({});
  made.alarms = [];
  made.files.clear();
  made.asked.length = 0;
});

const text = (content: string, more: object = {}) => ({
  type: 'TEXT',
  x: 0,
  y: 0,
  width: 500,
  height: 20,
  content,
  ...more,
});

type Given = {
  readonly args?: Record<string, string>;
  readonly deps?: Partial<ReportDeps>;
  readonly signal?: AbortSignal;
};

async function rendered({ args = {}, deps = {}, signal }: Given = {}) {
  const command = { nodeRef: 'r', arguments: args, arrivalMs: NOW_MS };
  return renderReport({ ...made.deps, ...deps }, command, callOf(signal));
}

/** The report of a template with these elements, read. */
async function printed(elements: readonly object[], more: object = {}, given: Given = {}) {
  made.report = { ...made.report, template: { elements, ...more } };
  const { bytes, problems } = await rendered(given);
  return { ...(await readPdf(bytes)), bytes, problems: problems.map(({ at, message }) => `${at}: ${message}`) };
}

const PLAIN = { header: { enabled: false }, footer: { enabled: false } };

describe('documents', () => {
  test('a document has a title, a language, bookmarks, and texts that can be read', async () => {
    const big = { bold: true, fontSize: 20 };
    const { info, raw, pages } = await printed([
      text('First chapter', { style: big }),
      text('A section', { y: 40, style: { bold: true, fontSize: 15 } }),
      text('Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich', { y: 80 }),
    ]);
    expect(info).toMatchObject({
      Title: 'Monthly report',
      Creator: 'Catchment',
      Tagged: 'yes',
      Pages: '1',
      JavaScript: 'no',
    });
    expect(raw).toContain('/Lang (en)');
    expect([...raw.matchAll(/\/Title \(([^)]*)\)/g)].map(([, title]) => title).sort()).toEqual([
      'A section',
      'First chapter',
      'Monthly report',
    ]);
    expect(pages[0]).toContain('Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich');
  });

  test.each([
    [{}, '594.96 x 841.92 pts (A4)'],
    [{ orientation: 'LANDSCAPE' }, '841.92 x 594.96 pts (A4)'],
    [{ pageFormat: 'A3' }, '841.92 x 1191.12 pts (A3)'],
    [{ pageFormat: 'A5' }, /^42\d(\.\d+)? x 59\d(\.\d+)? pts/],
    [{ pageFormat: 'LETTER' }, '612 x 792 pts (letter)'],
    [{ pageFormat: 'CUSTOM', width: 300, height: 200 }, /^(300|299\.\d+) x (200|199\.\d+) pts/],
  ])('pages of %p', async (format, expected) => {
    const { info } = await printed([text('a'), { type: 'PAGE_BREAK', x: 0, y: 30 }, text('b', { y: 40 })], format);
    expect(info.Pages).toBe('2');
    expect(info['Page size']).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  test('header and footer stand on every page, with its number, or on all but the first', async () => {
    const { pages } = await printed(
      [
        text('Head of {{ THIS.name }}', { area: 'HEADER' }),
        text('{{ page_number }} of {{ page_count }}{% if page_number == page_count %}, the last{% endif %}', {
          area: 'FOOTER',
        }),
        ...[1, 2, 3]
          .flatMap((n) => [
            text(`Part ${n}, page {{ page_number }} of {{ page_count }}`, { y: n * 100 }),
            { type: 'PAGE_BREAK', x: 0, y: n * 100 + 50 },
          ])
          .slice(0, -1),
      ],
      { header: { enabled: true, size: 60, display: 'NOT_FIRST_PAGE' } },
    );
    expect(
      pages.map((page) =>
        page
          .trim()
          .split(/\n\s*\n?/)
          .map((line) => line.trim()),
      ),
    ).toEqual([
      ['Part 1, page 1 of 3', '1 of 3'],
      ['Head of Monthly report', 'Part 2, page 2 of 3', '2 of 3'],
      ['Head of Monthly report', 'Part 3, page 3 of 3', '3 of 3, the last'],
    ]);
  });

  test('the header of a table is repeated, its rows are not split and come once', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => [{ content: `row ${index}` }, { content: 'two\nlines' }]);
    const table = {
      type: 'TABLE',
      x: 0,
      y: 0,
      columns: [{ width: 100 }, { width: 100 }],
      headerRow: [{ content: 'Head' }],
      rows,
      footerRow: [{ content: 'Foot', colspan: 2 }],
    };
    const { pages } = await printed([table], PLAIN);
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) expect(page).toMatch(/^\s*Head/);
    expect(pages.flatMap((page) => [...page.matchAll(/row (\d+)/g)].map(([, n]) => Number(n)))).toEqual(
      rows.map((_, index) => index),
    );
    expect(pages.filter((page) => page.includes('Foot'))).toEqual([pages.at(-1)]);
  });

  test('a report of 200 pages has each line once, and its pages are numbered', async () => {
    const lines = 200 * 50;
    const content = '{% for i in (1..5000) %}{{ i }}.\n{% endfor %}';
    const style = { fontSize: 10 };
    const { pages } = await printed(
      [
        text(content, { y: 0, style }),
        text(content, { y: 30, style }),
        text('{{ page_number }}/{{ page_count }}', { area: 'FOOTER' }),
      ],
      { margins: { top: 110 } },
    );
    expect(pages.length).toBeGreaterThanOrEqual(200);
    const numbers = pages.flatMap((page) => [...page.matchAll(/^\s*(\d+)\.$/gm)].map(([, n]) => Number(n)));
    expect(numbers).toEqual(Array.from({ length: lines }, (_, index) => (index % 5000) + 1));
    expect(pages.at(-1)).toContain(`${pages.length}/${pages.length}`);
  });

  test('a paragraph longer than a page is split between words', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ');
    const { pages } = await printed([text(words, { style: { alignment: 'JUSTIFY' } })], PLAIN);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.join(' ').trim().split(/\s+/).join(' ')).toBe(words);
  });

  test('every script has its letters, and none stands as a box', async () => {
    const all = 'Grüße Ελλάδα Привет مرحبا שלום हिन्दी বাংলা ไทย 中文 日本語 한국어 ქართული Հայ አማርኛ ∑√≤ ☀';
    const { bytes } = await printed([text(all, { height: 60 })]);
    const names = (await readPdf(bytes)).fonts.map((name) => name.replace(/^[A-Z]+\+|-.*$/g, ''));
    expect(names).toEqual(
      expect.arrayContaining(['Arimo', 'NotoSansArabic', 'NotoSansSC', 'NotoSansKR', 'NotoSansEthiopic']),
    );
  });

  test('styles: colours, backgrounds and borders are where they belong', async () => {
    const box = { width: 100, height: 100 };
    const { bytes } = await printed(
      [
        text('', { ...box, style: { background: '#ff0000' } }),
        text('', { ...box, x: 200, styleId: 'green' }),
        text('', {
          ...box,
          x: 400,
          width: 100,
          styleId: 'green',
          conditionalStyle: { condition: 'page_count == 1', styleId: 'blue' },
        }),
        { type: 'LINE', x: 0, y: 150, width: 500, height: 0, lineColor: '#00ff00', lineWidth: 10 },
      ],
      {
        ...PLAIN,
        styles: [
          { _id: 'green', background: '#008000' },
          { _id: 'blue', background: '#0000ff' },
        ],
      },
    );
    const [page] = await pdfAsPng(bytes, 72);
    const at = await pixelsOf(page!);
    expect([at(50, 50), at(250, 50), at(450, 50), at(150, 50), at(250, 150), at(250, 200)]).toEqual([
      '#ff0000',
      '#008000',
      '#0000ff',
      '#ffffff',
      '#00ff00',
      '#ffffff',
    ]);
  });
});

describe('what is printed', () => {
  test('the plain template shows values, alarms and charts', async () => {
    const alarms = {
      stateAlarm: { status: { alarmState: 'ACTIVE', activeTime: '2024-03-31T00:30:00Z', message: 'High water' } },
    };
    made.report = reportOf({}, [
      parameterLink('Gage_height', { alarms }),
      parameterLink('Discharge', { units: 'm³/s' }),
    ]);
    const { bytes, problems } = await rendered();
    const { pages, raw } = await readPdf(bytes);
    expect(problems).toEqual([]);
    expect(pages[0]).toMatch(/Gage height\s+1\.50\s+m\s+NORMAL\s+2024-03-31 13:00/);
    expect(pages[0]).toMatch(/Gage height\s+state\s+active\s+2024-03-31 01:30\s+High water/);
    expect(pages.join()).toContain('Discharge (m³/s) · the last seven days');
    // Charts are drawings with texts, not pixels.
    expect(raw).not.toMatch(/\/Subtype \/Image\b(?![\s\S]{0,200}SMask)/);
    expect(pages.join()).toMatch(/25 Mar|26 Mar/);
  });

  test.each([
    ['summer', '2024-03-31T01:00:00Z', {}, '2024-03-31 03:00'],
    ['a second before', '2024-03-31T00:59:59Z', {}, '2024-03-31 01:59'],
    ['without daylight saving time', '2024-03-31T01:00:00Z', { timezoneAdjustForDst: 'false' }, '2024-03-31 02:00'],
  ])('times are those of the zone: %s', async (_what, nowTime, args, expected) => {
    const load: ReportDeps['reports']['load'] = async ({ adjustForDst = true }) => ({ ...made.report, adjustForDst });
    const { pages } = await printed(
      [text("{{ report_time | time: 'YYYY-MM-DD HH:mm' }}|{{ NOW }}")],
      {},
      {
        args: { nowTime, ...args },
        deps: { reports: { ...made.deps.reports, load } },
      },
    );
    expect(pages[0]?.trim()).toBe(`${expected}|${nowTime.replace('Z', '.000Z')}`);
  });

  test('nowTime is handed on, and alarms are those of then', async () => {
    const level = parameterLink('Level', {
      alarms: { stateAlarm: { status: { alarmState: 'ACTIVE' } }, dataAlarm: {} },
    });
    made.report = reportOf({}, [level]);
    made.alarms = [{ nodeId: level.nodeId, type: 'dataAlarm', status: { alarmState: 'ACKNOWLEDGED' } }];
    const content = '{{ Level.alarms.stateAlarm.status.alarmState }} {{ Level.alarms.dataAlarm.status.alarmState }}';
    const { pages } = await printed([text(content)], {}, { args: { nowTime: 'NOW-1D' } });
    expect(made.asked).toEqual([expect.objectContaining({ nowMs: NOW_MS - 86_400_000 })]);
    expect(pages[0]?.trim()).toBe('CLEARED ACKNOWLEDGED');
  });

  test('conditions decide what is printed', async () => {
    made.report = reportOf({}, [parameterLink('Level')]);
    const { pages, problems } = await printed([
      text('above', { printIf: 'Level.currentValue > 1' }),
      text('below', { printIf: 'Level.currentValue < 1' }),
      text('as a text', { y: 30, printIf: '{{ Level.units }}' }),
      text('gone', { y: 30, printIf: '{{ Gone.units }}' }),
      text('broken', { y: 60, printIf: 'Level.units ==' }),
    ]);
    expect(pages[0]?.trim().split(/\s*\n\s*/)).toEqual(['above', 'as a text']);
    expect(problems).toEqual([expect.stringContaining('elements[4].printIf')]);
  });

  test('links lead to addresses of the web and of mail, and nowhere else', async () => {
    const link = (address: string, n: number) => text(`link ${n}`, { y: n * 30, link: address });
    const { raw, problems } = await printed(
      [
        'https://example.org/?a=1&b="2"',
        'mailto:a@example.org',
        'javascript:alert(1)',
        'file:///etc/passwd',
        '{{ THIS.name }}',
      ].map(link),
    );
    const targets = [...raw.matchAll(/\/URI \(((?:[^()\\]|\\.)*)\)/g)].map(([, target]) => target);
    expect(targets).toEqual(['https://example.org/?a=1&b=%222%22', 'mailto:a@example.org']);
    expect(problems).toHaveLength(3);
  });

  test('pictures: an attachment, a barcode, and a chart keep their proportions; a broken link prints nothing', async () => {
    const red = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const photo = { ...parameterLink('Photo'), class: 'Attachment', pictureNodeId: 'photo' };
    made.report = reportOf({}, [photo, parameterLink('Level')]);
    made.files.set('photo', red);
    const image = (source: string, more: object) => ({
      type: 'IMAGE',
      x: 0,
      y: 0,
      width: 200,
      height: 200,
      source,
      ...more,
    });
    const { bytes, problems, pages } = await printed(
      [
        image('{{ Photo.image }}', {}),
        image('{{ Gone.image }}', { x: 300 }),
        { type: 'BARCODE', x: 300, y: 0, width: 200, height: 60, content: 'C-{{ 40 | plus: 2 }}' },
        { type: 'BARCODE', x: 300, y: 100, width: 200, height: 60, content: 'κ' },
        image('{{ Level.image }}', { y: 220, width: 400 }),
      ],
      PLAIN,
    );
    const [page] = await pdfAsPng(bytes, 72);
    const at = await pixelsOf(page!);
    expect([at(100, 20), at(100, 60), at(100, 100), at(100, 140), at(100, 180)]).toEqual([
      '#ffffff',
      '#ff0000',
      '#ff0000',
      '#ff0000',
      '#ffffff',
    ]);
    expect(pages[0]).toContain('Level');
    expect(problems).toEqual([expect.stringMatching(/^elements\[3\]\.content: the barcode cannot be made/)]);
  });
});

describe('hostile templates', () => {
  test('nothing is run and nothing is fetched', async () => {
    const requests: string[] = [];
    const server = createServer(({ url }, response) => {
      requests.push(url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hostile = `</span></div><script>document.title='run'; fetch('${at}/a')</script><img src="${at}/b" onerror="document.title='run'"><style>@import url(${at}/c);</style><iframe src="file:///etc/passwd"></iframe><meta http-equiv="refresh" content="0;url=${at}/d">`;
    made.report = reportOf({}, [parameterLink('Level', { name: hostile })], { name: hostile, accountName: hostile });
    const style = { color: `red;background:url(${at}/e)`, background: `#fff;background:url(${at}/f)` };
    const { pages, info, problems } = await printed(
      [
        text(`${hostile}{{ Level.name }}`, { style }),
        { type: 'TABLE', x: 0, y: 60, columns: [{ width: 300 }], rows: [[{ content: hostile }]] },
        { type: 'IMAGE', x: 0, y: 90, width: 10, height: 10, source: `${at}/picture.png` },
        { type: 'IMAGE', x: 0, y: 90, width: 10, height: 10, source: 'file:///etc/passwd' },
        { type: 'IMAGE', x: 0, y: 90, width: 10, height: 10, source: 'data:image/png;base64,AAAA' },
      ],
      {},
      { deps: { web: webPictures(new Egress({ allowed: [] })) } },
    );
    server.close();
    expect(requests).toEqual([]);
    expect(info.Title).toBe(hostile);
    expect(pages.join('').replaceAll(/\s/g, '')).toContain(hostile.replaceAll(/\s/g, ''));
    expect(pages.join('')).not.toContain('root:');
    expect(problems).toHaveLength(3);
  });

  test.each([
    ['an endless loop', '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}'],
    ['a wrong filter', '{{ 1 | shout }}'],
    ['a text that does not end', '{{ 1'],
  ])('%s prints nothing, and the rest is printed', async (_what, content) => {
    const { pages, problems } = await printed([text(content), text('the rest', { y: 50 })]);
    expect(pages[0]?.trim()).toBe('the rest');
    expect(problems).toEqual([expect.stringMatching(/^elements\[0\]\.content: /)]);
  });

  test.each([
    [
      'many endless loops',
      Array.from({ length: 50 }, (_, index) =>
        text('{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}', { y: index }),
      ),
      /work/,
    ],
    [
      'ten thousand pages',
      [text('{% for i in (1..9999) %}x\n{% endfor %}', { style: { fontSize: 200, lineSpacing: 5 } })],
      /500 pages/,
    ],
    [
      'too many characters',
      Array.from({ length: 30 }, (_, index) => text('{% for i in (1..9000) %}xxxxxxxxxx{% endfor %}', { y: index })),
      /characters/,
    ],
  ])('%s are refused', async (_what, elements, message) => {
    await expect(printed(elements)).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(message),
    });
  });
});

describe('pictures of the web', () => {
  const png = sharp({ create: { width: 20, height: 10, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
  const open = webPictures(new Egress({ allowed: readRanges(['127.0.0.0/8']) ?? [] }));
  let server: Server;
  let at: string;
  beforeAll(async () => {
    server = createServer(async ({ url }, response) => {
      if (url === '/to-private') return void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
      if (url === '/to-file') return void response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      if (url === '/moved') return void response.writeHead(301, { location: '/picture.png' }).end();
      if (url === '/round') return void response.writeHead(302, { location: '/round' }).end();
      if (url === '/large') return void response.end(Buffer.alloc(11 * 1024 * 1024));
      if (url === '/page.png')
        return void response.setHeader('content-type', 'image/png').end('<svg onload="alert(1)"/>');
      if (url === '/silent') return;
      if (url === '/gone') return void response.writeHead(404).end();
      response.end(await png);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const print = (path: string, web = open) =>
    printed([{ type: 'IMAGE', x: 0, y: 0, width: 100, height: 50, source: `${at}${path}` }], PLAIN, { deps: { web } });

  test.each(['/picture.png', '/moved'])('%s is printed', async (path) => {
    const { bytes, problems } = await print(path);
    expect(problems).toEqual([]);
    const [page] = await pdfAsPng(bytes, 72);
    expect((await pixelsOf(page!))(50, 25)).toBe('#0000ff');
  });

  test.each([
    ['/to-private', /cannot be fetched/],
    ['/to-file', /no http or https address/],
    ['/round', /more than 5 times/],
    ['/large', /more than 10 MiB/],
    ['/page.png', /no picture/],
    ['/silent', /no answer within 5 s/],
    ['/gone', /answered 404/],
  ])('%s prints nothing and says why', async (path, why) => {
    const { problems, info } = await print(path);
    expect(info.Pages).toBe('1');
    expect(problems).toEqual([expect.stringMatching(why)]);
  });

  test('a private address is refused', async () => {
    const { problems } = await print('/picture.png', webPictures(new Egress({ allowed: [] })));
    expect(problems).toEqual([expect.stringMatching(/cannot be fetched/)]);
  });
});

describe('Chromium', () => {
  test('a page that hangs is killed, and the next report is made', async () => {
    const hung: ReportDeps['printing'] = {
      print: (work, signal) =>
        chromium.use(async (page) => {
          // The content of people is never run: this stands for a document that keeps the browser busy.
          await page.evaluate('for (;;) {}');
          return work(undefined as never);
        }, signal),
    };
    const limit = AbortSignal.timeout(1_500);
    await expect(printed([text('a')], {}, { deps: { printing: hung }, signal: limit })).rejects.toThrow(/timeout/i);
    expect((await printed([text('alive')])).pages[0]?.trim()).toBe('alive');
  });

  test('a browser that dies is started again, and the report in hand is made', async () => {
    const chromium = await chromiumOf();
    let kills = 1;
    const printing = printReports(() => chromium);
    const dying: ReportDeps['printing'] = {
      print: (work, signal) =>
        printing.print(async (sheet) => {
          if (kills-- > 0) process.kill((await chromium.pid())!, 'SIGKILL');
          return work(sheet);
        }, signal),
    };
    expect((await printed([text('again')], {}, { deps: { printing: dying } })).pages[0]?.trim()).toBe('again');
    kills = 2;
    await expect(printed([text('again')], {}, { deps: { printing: dying } })).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'PRINTING_FAILED',
    });
    await chromium.close();
  });

  test('it is started by the first report and ends when it has nothing to do', async () => {
    const chromium = await chromiumOf({ idleMs: 200 });
    expect(await chromium.pid()).toBeUndefined();
    let pid: number | undefined;
    const seen = await chromium.use(async () => {
      pid = await chromium.pid();
      return isAlive(pid);
    }, AbortSignal.timeout(30_000));
    expect(seen).toBe(true);
    await until(async () => !(await isAlive(pid)), { everyMs: 50, what: 'the browser has ended' });
    expect(await chromium.pid()).toBeUndefined();
    await chromium.close();
  });

  test('after so many reports another one takes its place', async () => {
    const chromium = await chromiumOf({ maxReports: 2 });
    const deps = { printing: printReports(() => chromium) };
    await printed([text('a')], {}, { deps });
    const first = await chromium.pid();
    await printed([text('b')], {}, { deps });
    await until(async () => (await chromium.pid()) !== first);
    await printed([text('c')], {}, { deps });
    await until(async () => !(await isAlive(first)), {
      everyMs: 50,
      what: 'the first browser has ended',
    });
    await chromium.close();
  });

  test('without one, reports are refused by a message that names the setting', async () => {
    await expect(printed([text('a')], {}, { deps: { printing: printReports(() => undefined) } })).rejects.toMatchObject(
      {
        kind: 'unavailable',
        reason: 'NO_CHROMIUM',
        message: expect.stringContaining('CHROMIUM_PATH'),
      },
    );
  });
});

const isAlive = async (pid: number | undefined): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) Z /.test(status);
};

async function pixelsOf(png: Buffer): Promise<(x: number, y: number) => string> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return (x, y) => `#${data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3).toString('hex')}`;
}
