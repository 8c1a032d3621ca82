import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { picture } from './look.ts';

const MAX_TEXT = 3_000;
const LOOK_MS = 5_000;
const seen = new Set<Page>();

/** Navigation and tree come before it, and are long. */
const contentOf = (text: string): string => text.slice(Math.max(0, text.search(/^- main/m))).slice(0, MAX_TEXT);

/** A case that fails says what a person sees in the pages that are open then, and keeps a picture of each (PICTURES=/folder). */
export function seePage(page: Page): void {
  seen.add(page);
  page.once('close', () => seen.delete(page));
}

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [n, page] of [...seen].entries()) {
    const text = await page.ariaSnapshot({ timeout: LOOK_MS }).catch((error: unknown) => String(error));
    process.stderr.write(`«${task.name}», page ${n + 1}: ${page.url()}\n${contentOf(text)}\n`);
    await picture(page, `failed-${task.name.replaceAll(/\W+/g, '-').slice(0, 80)}-${n + 1}`).catch(() => undefined);
  }
});
