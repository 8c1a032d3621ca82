import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const axe = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Takes a picture of the page, for people, where PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Returns what axe finds wrong, in words. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await axe);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations: found } = await run.run({ resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}
