import { DomainError, unavailable } from '@catchment/errors';
import type { Page } from 'playwright-core';
import type { Measures } from '../../../domain/report/paginate.ts';
import type { Printing, Sheet } from '../../../usecases/report-ports.ts';
import { documentHtml, measuredHtml } from '../html.ts';
import { type Chromium, ChromiumGone } from './chromium.ts';
import { measurePage } from './measure.ts';

const POINTS_PER_PIXEL = 0.75;

/** Prints with a Chromium; where it ends meanwhile, once more. @param find undefined = there is none yet: it may be installed later */
export function printReports(find: () => Chromium | undefined): Printing {
  return {
    async print(work, signal) {
      const chromium = find();
      if (!chromium) throw noChromium();
      const run = () => chromium.use((page) => work(sheetOf(page)), signal);
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof ChromiumGone)) throw error;
      }
      try {
        return await run();
      } catch (error) {
        if (error instanceof ChromiumGone) throw unavailable('PRINTING_FAILED', { cause: error });
        throw error;
      }
    },
  };
}

const noChromium = (): DomainError =>
  new DomainError(
    'unavailable',
    'NO_CHROMIUM',
    'Reports need a Chromium, and there is none: install one (Debian and Ubuntu: apt install chromium), or name it with CHROMIUM_PATH. One that is installed is found without a restart',
  );

const sheetOf = (page: Page): Sheet => ({
  async measure(blocks) {
    await page.setContent(measuredHtml(blocks), { timeout: 0 });
    const { texts, tables } = await page.evaluate(measurePage);
    return {
      texts: new Map(
        texts.map(([key, lines]) => [
          key,
          lines.map(([paragraph, start, height]) => ({ paragraph, start, height: height * POINTS_PER_PIXEL })),
        ]),
      ),
      tables: new Map(tables.map(([key, rows]) => [key, rows.map((height) => height * POINTS_PER_PIXEL)])),
    } satisfies Measures;
  },
  async pdf(document) {
    await page.setContent(documentHtml(document), { timeout: 0 });
    return page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true });
  },
});
