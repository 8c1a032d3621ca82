import type { Page } from 'playwright-core';

/** Elements that tell that the first rows of a list are there. */
export const ROWS = {
  overview: '.places-list .table-rows [role=row]',
  tree: '.tree-rows .tree-row.is-node, .tree-rows [role=row] .tree-name',
  alarms: '.beside-main .table-rows [role=row]',
} as const;

export type Frames = {
  /** Of the display while rows moved; the browser draws 60 a second at best. */
  readonly frames: number;
  readonly dropped: number;
  readonly longestMs: number;
};

/** Runs in each page before its own script. */
export const PROBE = `
  const probe = (globalThis.probe = { tasks: [], seen: {} });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) probe.tasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  probe.longestSince = (sinceMs) =>
    Math.max(0, ...probe.tasks.filter(([start, duration]) => start + duration > sinceMs).map(([, duration]) => duration));
  probe.lastTaskMs = () => Math.max(0, ...probe.tasks.map(([start, duration]) => start + duration));
  const rows = ${JSON.stringify(ROWS)};
  const look = () => {
    for (const [name, selector] of Object.entries(rows))
      if (probe.seen[name] === undefined && document.querySelector(selector)) probe.seen[name] = performance.now();
    if (performance.now() < 60_000) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  // From a click or key until the frame after the first change of the page that it made.
  probe.arm = (type) => {
    probe.answerMs = undefined;
    addEventListener(
      type,
      (event) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => { probe.answerMs = performance.now() - event.timeStamp; };
            port2.postMessage(0);
          });
        });
        observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
      },
      { capture: true, once: true },
    );
  };

  // Moves a list by so many pixels a frame, down and up again.
  probe.scroll = (selector, perFrame, ms) =>
    new Promise((resolve) => {
      const room = document.querySelector(selector);
      const beganMs = performance.now();
      let last = beganMs;
      let frames = 0;
      let dropped = 0;
      let by = perFrame;
      const frame = (now) => {
        if (frames > 0) dropped += Math.max(0, Math.round((now - last) / (1000 / 60)) - 1);
        last = now;
        frames += 1;
        if (now - beganMs > ms) return resolve({ frames, dropped, longestMs: probe.longestSince(beganMs) });
        const before = room.scrollTop;
        room.scrollTop += by;
        if (room.scrollTop === before) by = -by;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });

  // The longest time between two frames while something else goes on.
  probe.watchFrames = () => {
    let last = performance.now();
    probe.worstFrameMs = 0;
    const frame = (now) => {
      probe.worstFrameMs = Math.max(probe.worstFrameMs, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };
`;

/** No task of 50 ms for so long: what a page does after its first rows is done. */
const QUIET_MS = 1_000;

export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(`performance.now() - probe.lastTaskMs() > ${QUIET_MS}`);
}

/** How long the page takes to answer a click or a key, ms. */
export async function answerTo(
  page: Page,
  type: 'click' | 'keydown' | 'input',
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`probe.arm('${type}')`);
  await act();
  const answer = await page.waitForFunction('probe.answerMs');
  return (await answer.jsonValue()) as number;
}

export const scrolled = (page: Page, selector: string, perFrame: number, ms: number): Promise<Frames> =>
  page.evaluate(`probe.scroll(${JSON.stringify(selector)}, ${perFrame}, ${ms})`) as Promise<Frames>;
