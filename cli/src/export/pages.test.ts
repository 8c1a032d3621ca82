import { type ExportQuery, pages } from './pages.ts';

const QUERY: ExportQuery = {
  nodeIds: ['a', 'b'],
  format: 'csv',
  zone: 'Etc/UTC',
  dst: false,
  quality: false,
  pageRows: 2,
};
const TIMES = [1, 2, 3, 4, 5].map((second) => `2024-01-01T00:00:0${second}.000Z`);

/** Makes an API that has a row at each of `times`. */
function apiOf(times: readonly string[]) {
  const asked: URLSearchParams[] = [];
  const fetched = async (path: string) => {
    const query = new URLSearchParams(path.split('?')[1]);
    asked.push(query);
    const [start = '', end = '9'] = [query.get('startTime') ?? '', query.get('endTime') ?? '9'];
    const rows = times.filter((time) => time >= start && time <= end).slice(0, Number(query.get('limit')));
    if (query.get('format') !== 'CSV') {
      const columns = { 0: { id: 'a' } };
      return JSON.stringify({ header: { columns }, data: rows.map((ts) => ({ ts, f: { 0: { v: 1 } } })) });
    }
    const header = query.get('header') === 'TRUE' ? '"Id","a"\n"Timestamp","A"\n"Units",""\n' : '';
    return header + rows.map((time) => `${time},"two\nlines"\n`).join('');
  };
  return { asked, fetched };
}

async function exported(times: readonly string[], options: Partial<ExportQuery> = {}) {
  const { asked, fetched } = apiOf(times);
  let [text, rows] = ['', 0];
  for await (const page of pages(fetched, { ...QUERY, ...options })) {
    text += page.text;
    rows += page.rows;
  }
  return { asked, text, rows };
}

test.each([0, 1, 2, 3, 4, 5])('CSV of %i rows has each once, and one header', async (count) => {
  const times = TIMES.slice(0, count);
  const { text, rows } = await exported(times);
  const lines = times.map((time) => `${time},"two\nlines"\n`).join('');
  expect([rows, text]).toEqual([count, `"Id","a"\n"Timestamp","A"\n"Units",""\n${lines}`]);
});

test.each([0, 1, 2, 3, 4, 5])('JTS of %i rows is one document', async (count) => {
  const { text } = await exported(TIMES.slice(0, count), { format: 'jts' });
  const document = JSON.parse(text);
  expect(document).toMatchObject({ docType: 'jts', header: { columns: { 0: { id: 'a' } } } });
  expect(document.data.map(({ ts }: { ts: string }) => ts)).toEqual(TIMES.slice(0, count));
});

test('each request begins behind the last row, and all end where they are asked to', async () => {
  const { asked, rows } = await exported(TIMES, {
    fromMs: Date.parse('2024-01-01T00:00:02Z'),
    toMs: Date.parse('2024-01-01T00:00:04Z'),
  });
  expect(rows).toBe(3);
  expect(asked.map((query) => [query.get('params'), query.get('startTime'), query.get('endTime')])).toEqual([
    ['a,b', '2024-01-01T00:00:02.000Z', '2024-01-01T00:00:04.000Z'],
    ['a,b', '2024-01-01T00:00:03.001Z', '2024-01-01T00:00:04.000Z'],
  ]);
});

test('nothing is asked for behind the end', async () => {
  const { asked } = await exported(TIMES, { toMs: Date.parse('2024-01-01T00:00:02Z') });
  expect(asked).toHaveLength(1);
});
