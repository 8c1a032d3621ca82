/** A job goes on while the person does other things. A page does it: the server does not know it as one thing. */
export type Job = {
  readonly id: string;
  /** The page that does it. */
  readonly page: string;
  readonly label: string;
  /** `left` means that its page was closed before it came to its end; what became of it is not known. */
  readonly state: 'running' | 'done' | 'failed' | 'left';
  /** The page last said then that the job goes on, or how it ended; Unix ms. */
  readonly aliveMs: number;
  /** The part is 0 to 1, where it is known. */
  readonly part?: number;
  /** The job failed for this reason, in words. */
  readonly failure?: string;
  readonly nodeId?: string;
  readonly goneId?: string;
};

const MOST = 20;
const KEPT_MS = 24 * 3_600_000;
/** A page that has said nothing for this long is closed, also where it could not say so. */
const SILENT_MS = 150_000;

/** Returns the jobs that were written, those whose page is closed as lost. */
export const lost = (all: readonly Job[], page: string, nowMs: number): readonly Job[] =>
  all.map((job) =>
    job.state === 'running' && job.page !== page && nowMs - job.aliveMs > SILENT_MS ? { ...job, state: 'left' } : job,
  );

/** Lists jobs of this page as it knows them, first, and those of others. */
export const merged = (all: readonly Job[], ofPage: readonly Job[], page: string): readonly Job[] => [
  ...ofPage,
  ...all.filter((job) => job.page !== page),
];

/** Returns the jobs of the last day, twenty at most; a job under way is not left out for one that has ended. */
export function kept(all: readonly Job[], nowMs: number): readonly Job[] {
  const recent = all.filter(({ aliveMs }) => nowMs - aliveMs < KEPT_MS);
  const running = recent.filter(({ state }) => state === 'running');
  return [...running, ...recent.filter(({ state }) => state !== 'running')].slice(0, Math.max(MOST, running.length));
}
