const MIB = 1024 * 1024;
/** The time between two lines. */
const EVERY_MS = 200;

type BytesProgress = { update(bytes: number): void; stop(): void };

/**
 * Shows how much has come, on a line of a terminal that is written again and again; nothing where there is no terminal.
 */
export function openBytesProgress(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  isWanted: boolean,
  nowMs: () => number = () => performance.now(),
): BytesProgress {
  if (!isWanted || !stream.isTTY) return { update: () => {}, stop: () => {} };
  const beganMs = nowMs();
  let shownMs = beganMs;
  let hasPrinted = false;
  return {
    update: (bytes) => {
      const at = nowMs();
      if (at - shownMs < EVERY_MS) return;
      shownMs = at;
      hasPrinted = true;
      stream.write(`\r\x1b[K${(bytes / MIB).toFixed(1)} MiB, ${((at - beganMs) / 1_000).toFixed(0)} s`);
    },
    stop: () => {
      if (hasPrinted) stream.write('\r\x1b[K');
      hasPrinted = false;
    },
  };
}
