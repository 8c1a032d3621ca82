import type { CDPSession, Page } from 'playwright-core';

/** These elements are there once the first rows of a list are. */
export const ROWS = {
  overview: '.places-list .table-rows [role=row]',
  tree: '.tree-rows .tree-row.is-node, .tree-rows [role=row] .tree-name',
  alarms: '.beside-main .table-rows [role=row]',
} as const;

export type Frames = {
  /** Frames that the display showed while rows moved; the browser draws 60 a second at best. */
  readonly frames: number;
  readonly dropped: number;
  readonly longestMs: number;
};

/** The page shows here that something is under way. */
const PROGRESS = '.busy-bar';

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

  // Notes when the first rows of these lists are there. It looks once a frame until it has seen them all; no other page looks.
  probe.lookFor = (names) => {
    const all = Promise.withResolvers();
    probe.allSeen = all.promise;
    const look = () => {
      for (const name of names)
        if (probe.seen[name] === undefined && document.querySelector(rows[name])) probe.seen[name] = performance.now();
      if (names.some((name) => probe.seen[name] === undefined)) requestAnimationFrame(look);
      else all.resolve();
    };
    requestAnimationFrame(look);
  };

  probe.textOf = (selector) => document.querySelector(selector)?.textContent;
  probe.idOf = (selector) => document.querySelector(selector)?.id;
  probe.rowsOf = (selector) => document.querySelector(selector + ' [role=grid]')?.ariaRowCount;
  probe.sortOf = (selector) =>
    [...document.querySelectorAll(selector + ' [aria-sort]')].map((title) => title.ariaSort).join();
  probe.count = (selector) => document.querySelectorAll(selector).length;

  // The time runs from a click or key until the frame that shows another answer than before, or one more sign of work.
  probe.arm = (type, answer) => {
    const answered = Promise.withResolvers();
    probe.answered = answered.promise;
    const bars = () => probe.count(${JSON.stringify(PROGRESS)});
    addEventListener(
      type,
      (event) => {
        const before = answer();
        const barsBefore = bars();
        const look = () => {
          if (answer() === before && bars() <= barsBefore) return;
          observer.disconnect();
          removeEventListener('toggle', look, true);
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => answered.resolve(performance.now() - event.timeStamp);
            port2.postMessage(0);
          });
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
        // A part that pops over the page changes no element.
        addEventListener('toggle', look, true);
      },
      { capture: true, once: true },
    );
  };

  // Moves a list by this many pixels a frame, down and up again.
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

  // worstFrameMs is the longest time between two frames while something else goes on.
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

/** Waits without a script of its own in the page, which would take a twentieth of a second of the processor that the page needs. */
export async function untilSeen(client: CDPSession): Promise<void> {
  await client.send('Runtime.evaluate', { expression: 'probe.allSeen', awaitPromise: true });
}

/** No task takes 50 ms for this long: what a page does after its first rows is done. */
const QUIET_MS = 1_000;

export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(`performance.now() - probe.lastTaskMs() > ${QUIET_MS}`);
}

/**
 * Measures how long the page takes to answer a click or a key, in ms.
 * @param answer an expression of the page, whose value the answer changes
 */
export async function answerTo(
  page: Page,
  type: 'click' | 'keydown' | 'input',
  answer: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`probe.arm('${type}', () => ${answer})`);
  await act();
  return (await page.evaluate('probe.answered')) as number;
}

export const scrolled = (page: Page, selector: string, perFrame: number, ms: number): Promise<Frames> =>
  page.evaluate(`probe.scroll(${JSON.stringify(selector)}, ${perFrame}, ${ms})`) as Promise<Frames>;
