// Every page of the frame in both schemes, both languages and three widths: axe finds nothing, nothing is wider than the page.

import { picture, violations } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await writeLevel(stage.installation.api, stage.sites, 4.2);
});
afterAll(() => stage?.close());

/** Each page with what is there once its data have come: an empty one would show axe nothing. */
const PAGES = [
  ['overview', () => 'overview', '.mark-place'],
  ['alarms', () => 'alarms', '.beside-main .table-rows [role=row]'],
  ['events', () => 'events', '.table-rows [role=row]'],
  ['dashboards', () => 'dashboards', '.board-picture .mini'],
  ['node', () => `n/${stage.sites.levelId}/chart`, '.legend strong:text-matches("[0-9]")'],
] as const;
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
