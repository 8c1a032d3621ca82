import { signal } from '@preact/signals';

/** Something that goes on while the person does other things; the bell's menu shows it. */
export type Job = {
  readonly id: number;
  readonly label: string;
  readonly state: 'running' | 'done' | 'failed';
  /** 0 to 1, where it is known. */
  readonly part?: number;
  readonly error?: unknown;
};

export const jobs = signal<readonly Job[]>([]);
const MOST = 20;
let last = 0;

const change = (id: number, to: Partial<Job>): void => {
  jobs.value = jobs.value.map((job) => (job.id === id ? { ...job, ...to } : job));
};

/** Runs something as a job. @returns what it answers; a failure is shown there, and thrown */
export async function runJob<T>(label: string, run: (progress: (part: number) => void) => Promise<T>): Promise<T> {
  last += 1;
  const id = last;
  jobs.value = [{ id, label, state: 'running' as const }, ...jobs.value].slice(0, MOST);
  try {
    const answer = await run((part) => change(id, { part }));
    change(id, { state: 'done' });
    return answer;
  } catch (error) {
    change(id, { state: 'failed', error });
    throw error;
  }
}

/** A page that is left takes with it what it has not sent yet. */
export function guardJobs(): void {
  addEventListener('beforeunload', (event) => {
    if (jobs.peek().some(({ state }) => state === 'running')) event.preventDefault();
  });
}

export const forgetJob = (id: number): void => {
  jobs.value = jobs.value.filter((job) => job.id !== id);
};
