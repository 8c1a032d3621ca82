import { violations } from '@catchment/testkit/axe';
// These tests see every page of the frame in both schemes, both languages and three widths: axe finds nothing, nothing is wider than the
// page.

import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let reportId: string;
beforeAll(async () => {
  stage = await openStage();
  await writeLevel(stage.installation.api, stage.sites, 4.2);
  reportId = await makeReport();
});
afterAll(() => stage?.close());

/** Each page has here what is there once its data have come: an empty one would show axe nothing. */
const PAGES = [
  ['overview', () => 'overview', '.mark-place'],
  ['alarms', () => 'alarms', '.beside-main .table-rows [role=row]'],
  ['events', () => 'events', '.table-rows [role=row]'],
  ['dashboards', () => 'dashboards', '.board-picture .mini'],
  ['reports', () => 'reports', '.report-list li'],
  ['report', () => `report/${reportId}/paper`, '.report-pages img'],
  ['report-sending', () => `report/${reportId}/sending`, '.report-next li'],
  ['node', () => `n/${stage.sites.levelId}/chart`, '.legend strong:text-matches("[0-9]")'],
] as const;
/** Makes a weekly paper with one block of each kind that people use most. */
async function makeReport(): Promise<string> {
  const { workspaceId, levelId } = stage.sites;
  const bordered = { borderSides: ['TOP', 'RIGHT', 'BOTTOM', 'LEFT'], borderWidth: 0.5, padding: 4 };
  const cell = (content: string) => ({ content });
  const made = await stage.installation.api.create({
    _class: `${MODEL}.Report`,
    parentId: workspaceId,
    name: 'Weekly levels',
    description: 'What the rivers did, for the office',
    links: [{ nodeId: levelId, name: 'Level' }],
    timezone: 'America/New_York',
    schedule: { type: 'WEEKLY', days: ['MON', 'FRI'], time: '06:30' },
    template: {
      elements: [
        { type: 'TEXT', area: 'HEADER', x: 40, y: 30, width: 400, content: 'Hydro North' },
        {
          type: 'TEXT',
          area: 'FOOTER',
          x: 40,
          y: 20,
          width: 400,
          content: 'Page {{ page_number }} of {{ page_count }}',
        },
        { type: 'TEXT', x: 40, y: 0, width: 500, style: { fontSize: 22, bold: true }, content: 'Levels of the week' },
        {
          type: 'TEXT',
          x: 40,
          y: 40,
          width: 500,
          content: '{{ Level.name }} is at {{ Level.currentValueFormatted }}.',
        },
        { type: 'IMAGE', x: 40, y: 70, width: 515, height: 220, source: '{{ Level.image }}' },
        { type: 'LINE', x: 40, y: 300, width: 515, lineColor: '#666666' },
        {
          type: 'TABLE',
          x: 40,
          y: 315,
          style: bordered,
          columns: [{ width: 200 }, { width: 150 }, { width: 165 }],
          headerRow: [cell('Place'), cell('Level'), cell('State')],
          rows: [
            [
              cell('{{ Level.locationName }}'),
              cell('{{ Level.currentValueFormatted }}'),
              cell('{{ Level.currentStateName }}'),
            ],
          ],
        },
      ],
    },
  });
  return made._id;
}

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
  ),
);

test.each(LOOKS)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { browser, installation, person } = stage;
  const size = { viewport: { width, height: width < 500 ? 780 : 900 } };
  const { page, context, problems } = await signedIn(browser, installation.url, person, {
    ...size,
    colorScheme,
    locale,
  });
  for (const [name, address, content] of PAGES) {
    await page.goto(`${installation.url}/a/${person.slug}/${address()}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator(content).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2));
    await picture(page, `console-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    expect([name, await violations(page)]).toEqual([name, []]);
  }
  expect(problems).toEqual([]);
  await context.close();
});

test('every page has a title of its own and one heading above all others, also where a thing is gone', async () => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person);
  const nobody = '0'.repeat(24);
  const paths = [
    'alarms',
    'events',
    'devices/list',
    `devices/${nobody}`,
    'templates',
    `templates/${nobody}`,
    'people/list',
    'account/keys',
    'me/keys',
    'transfers/exports',
    'installation/health',
    `n/${nobody}/chart`,
    `report/${nobody}/paper`,
    `dash/${nobody}/edit`,
    'nowhere',
    `n/${stage.sites.levelId}/chart`,
  ];
  const seen: string[] = [];
  for (const path of paths) {
    await page.goto(`${installation.url}/a/${person.slug}/${path}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.first().waitFor();
    expect([path, await heading.count()]).toEqual([path, 1]);
    await page.waitForFunction(`!document.title.startsWith(${JSON.stringify('Hydro')})`);
    seen.push(await page.title());
  }
  expect(seen.filter((title, i) => seen.indexOf(title) !== i)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});
