import type { Page } from 'playwright-core';
import { onTestFailed } from 'vitest';
import { picture } from './look.ts';

const MAX_TEXT = 3_000;
const LOOK_MS = 5_000;

/** Navigation and tree come before it, and are long. */
const contentOf = (text: string): string => text.slice(Math.max(0, text.search(/^- main/m))).slice(0, MAX_TEXT);

/** A case that fails says what a person sees in the pages that it has opened, and keeps a picture of each (PICTURES=/folder). */
export function seePage(page: Page): void {
  try {
    onTestFailed(async ({ task }) => {
      if (page.isClosed()) return;
      const text = await page.ariaSnapshot({ timeout: LOOK_MS }).catch((error: unknown) => String(error));
      process.stderr.write(`«${task.name}»: ${page.url()}\n${contentOf(text)}\n`);
      await picture(page, `failed-${task.name.replaceAll(/\W+/g, '-').slice(0, 80)}`).catch(() => undefined);
    });
  } catch {
    // A hook opened it: it belongs to no case.
  }
}
