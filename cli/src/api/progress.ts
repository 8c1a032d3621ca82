import { Presets, SingleBar } from 'cli-progress';

/** A transfer shows its progress on a terminal: a bar, or now and then a line where nobody knows the end. Elsewhere messages alone. */
export type Progress = {
  /** @param done of `total`, in the same unit */
  update(done: number, records: number): void;
  /** A line of its own. */
  say(line: string): void;
  stop(): void;
};

const LINE_EVERY_MS = 10_000;

/** @param total 0 = not known @param isQuiet prints messages, but no progress */
export function openProgress(total: number, isQuiet = false): Progress {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  if (isQuiet || !process.stderr.isTTY) return { update: () => {}, say, stop: () => {} };
  return total > 0 ? barOf(total) : linesOf(say);
}

function barOf(total: number): Progress {
  const bar = new SingleBar(
    {
      format: '{bar} {percentage} % | {records} records | {rate}/s | {eta_formatted} left',
      stream: process.stderr,
      clearOnComplete: false,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  );
  const startedMs = performance.now();
  bar.start(total, 0, { records: 0, rate: 0 });
  return {
    update: (done, records) => {
      const rate = Math.round((records * 1000) / Math.max(1, performance.now() - startedMs));
      bar.update(Math.min(done, total), { records, rate });
    },
    say: (line) => {
      bar.stop();
      process.stderr.write(`${line}\n`);
      bar.start(total, 0, { records: 0, rate: 0 });
    },
    stop: () => bar.stop(),
  };
}

function linesOf(say: (line: string) => void): Progress {
  let saidMs = performance.now();
  return {
    update: (_done, records) => {
      if (performance.now() - saidMs < LINE_EVERY_MS) return;
      saidMs = performance.now();
      say(`${records} records`);
    },
    say,
    stop: () => {},
  };
}
