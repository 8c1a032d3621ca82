import { CatchmentError } from '@catchment/client';
import { signal } from '@preact/signals';
import { errorText } from '../../words/error-text.ts';
import { client } from '../requests/client.ts';
import { start } from '../session/session.ts';
import { type Job, kept, lost, merged } from './job-list.ts';

export type { Job } from './job-list.ts';

/** These jobs go on, or went on lately, in any page of the person in this browser; the bell's menu shows them. */
export const jobs = signal<readonly Job[]>([]);

/** This page has this name among those of the browser. */
const page = Math.random().toString(36).slice(2);
/** A page says so often that its jobs go on; one in the background may do it each minute. */
const BEAT_MS = 20_000;
const KEY = () => `jobs of ${start().account.id} ${start().person.id}`;
let last = 0;

function readAll(): readonly Job[] {
  try {
    return lost(JSON.parse(localStorage.getItem(KEY()) ?? '[]'), page, Date.now());
  } catch {
    return [];
  }
}

/** Writes jobs of this page as they are now, and those of others as they have written them. */
function write(ofPage: readonly Job[]): void {
  store(kept(merged(readAll(), ofPage, page), Date.now()));
}

function store(all: readonly Job[]): void {
  jobs.value = all;
  try {
    localStorage.setItem(KEY(), JSON.stringify(all));
  } catch {
    // Other pages do not hear of it, and what is forgotten comes back with the next page.
  }
}

const ownJobs = (): readonly Job[] => jobs.peek().filter((job) => job.page === page);

const change = (id: string, to: Partial<Job>): void =>
  write(ownJobs().map((job) => (job.id === id ? { ...job, ...to, aliveMs: Date.now() } : job)));

/** @param nodeId where its outcome is seen; @param goneId a node that is not there any more once it is done */
export type JobAbout = { readonly nodeId?: string; readonly goneId?: string };

/** Runs something as a job. @returns what it answers; a failure is shown there, and thrown */
export async function runJob<T>(
  label: string,
  run: (progress: (part: number) => void) => Promise<T>,
  about: JobAbout = {},
): Promise<T> {
  last += 1;
  const id = `${page} ${last}`;
  write([{ id, page, label, state: 'running' as const, aliveMs: Date.now(), ...about }, ...ownJobs()]);
  try {
    const answer = await run((part) => change(id, { part }));
    change(id, { state: 'done' });
    return answer;
  } catch (error) {
    change(id, { state: 'failed', failure: errorText(error) });
    throw error;
  }
}

const isRunning = ({ state }: Job): boolean => state === 'running';

/** A page that is left takes with it what it has not sent yet: it asks first, and other pages are notified. */
export function guardJobs(): void {
  jobs.value = readAll();
  addEventListener('beforeunload', (event) => {
    if (ownJobs().some(isRunning)) event.preventDefault();
  });
  addEventListener('pagehide', (event) => {
    if (!event.persisted && ownJobs().some(isRunning))
      write(ownJobs().map((job) => (isRunning(job) ? { ...job, state: 'left' } : job)));
  });
  addEventListener('storage', ({ key }) => {
    if (key === KEY()) jobs.value = merged(readAll(), ownJobs(), page);
  });
  setInterval(() => {
    if (ownJobs().some(isRunning))
      write(ownJobs().map((job) => (isRunning(job) ? { ...job, aliveMs: Date.now() } : job)));
  }, BEAT_MS);
}

export const forgetJob = (id: string): void => store(readAll().filter((job) => job.id !== id));

/** Looks what became of deletions whose page was left: a node that is gone says it. */
export async function settleLeftJobs(): Promise<void> {
  for (const { id, state, goneId } of jobs.peek()) {
    if (state !== 'left' || goneId === undefined) continue;
    const error = await client.nodes.get(goneId, { attr: '_id' }).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (!(error instanceof CatchmentError && error.status === 404)) continue;
    store(readAll().map((job) => (job.id === id ? { ...job, state: 'done' as const } : job)));
  }
}
