import path from 'node:path';
import type { Page } from 'playwright-core';

/** Takes a picture of the page, for people, where PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
