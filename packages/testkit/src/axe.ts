import { readFile } from 'node:fs/promises';

const axe = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The part of a Playwright page that axe needs. */
export type AxePage = {
  readonly evaluate: {
    (script: string): Promise<unknown>;
    <T>(run: () => T | Promise<T>): Promise<T>;
  };
};

/**
 * Returns what axe finds wrong on a page, in words. It lets the page come to rest first: a box learns its size when the
 * next frame is drawn, and what it says of itself then changes (a region that begins to scroll gets the focus of keys).
 */
export async function violations(page: AxePage): Promise<readonly string[]> {
  await page.evaluate(await axe);
  return page.evaluate(async () => {
    type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };
    const browser = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
      document: { fonts: { ready: Promise<unknown> } };
      requestAnimationFrame: (then: () => void) => void;
    };
    await browser.document.fonts.ready;
    for (let frames = 0; frames < 3; frames += 1)
      await new Promise<void>((resolve) => browser.requestAnimationFrame(resolve));
    const { violations: found } = await browser.axe.run({ resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}
