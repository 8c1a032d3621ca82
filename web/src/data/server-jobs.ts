import { signal } from '@preact/signals';
import { call } from './call.ts';
import { start } from './session.ts';

type State = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** An export of the person (docs/reference/writing.md#exports). */
export type Export = {
  readonly _id: string;
  readonly state: State;
  readonly format: string;
  readonly series: number;
  readonly seriesDone: number;
  readonly failure?: string | null;
  readonly expiryTime?: string | null;
};
/** An import of the person (docs/reference/writing.md#imports). */
export type Import = {
  readonly _id: string;
  readonly nodeId: string;
  readonly fileName: string;
  readonly state: State;
  readonly records: number;
  readonly recordsTotal?: number | null;
  readonly failure?: string | null;
  readonly createdTime: string;
  readonly endedTime?: string | null;
};
export type ServerJobs = { readonly exports: readonly Export[]; readonly imports: readonly Import[]; readonly error?: unknown };

/** What the server does for the person whatever becomes of pages; undefined: not read yet. */
export const serverJobs = signal<ServerJobs | undefined>(undefined);

const EACH_MS = 3_000;
const DAY = 86_400_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export const isUnderWay = ({ state }: { readonly state: State }): boolean => state === 'WAITING' || state === 'RUNNING';

/** Reads them, and again for as long as something goes on. */
export async function readServerJobs(): Promise<void> {
  clearTimeout(timer);
  try {
    const [exports, imports] = await Promise.all([
      call<readonly Export[]>('GET', '/exports'),
      call<readonly Import[]>('GET', '/imports'),
    ]);
    const recent = imports.filter((one) => isUnderWay(one) || Date.now() - Date.parse(one.endedTime ?? '') < DAY);
    serverJobs.value = { exports, imports: recent };
  } catch (error) {
    serverJobs.value = { exports: [], imports: [], ...serverJobs.peek(), error };
  }
  const { exports, imports } = serverJobs.peek()!;
  if ([...exports, ...imports].some(isUnderWay)) timer = setTimeout(() => void readServerJobs(), EACH_MS);
}

export async function deleteExport(id: string): Promise<void> {
  await call('DELETE', `/exports/${encodeURIComponent(id)}`);
  await readServerJobs();
}

/** What is written already stays. */
export async function cancelImport(id: string): Promise<void> {
  await call('DELETE', `/imports/${encodeURIComponent(id)}`);
  await readServerJobs();
}

/** A link to the file of an export; it names the account, as requests of ours do. */
export const exportAddress = (id: string): string =>
  `/api/v1/exports/${encodeURIComponent(id)}/file?${new URLSearchParams({ account: start().account.id })}`;
