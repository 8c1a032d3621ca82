const GRACE_MS = 5_000;

/** Returns the result of work that ends soon after the signal aborts; whatever does not is given up. */
export async function endedBy(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
