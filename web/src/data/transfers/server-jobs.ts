import { signal } from '@preact/signals';
import { call } from '../requests/call.ts';
import { start } from '../session/session.ts';
import type { Import } from './imports.ts';

/** The person's export (docs/reference/writing.md#exports). */
export type Export = {
  readonly _id: string;
  readonly state: Import['state'];
  readonly format: 'CSV' | 'JTS';
  readonly layout: 'FILE_PER_PARAMETER' | 'INTERLEAVED';
  readonly series: number;
  readonly seriesDone: number;
  readonly records: number;
  readonly sizeBytes: number | null;
  readonly createdTime: string;
  readonly endedTime: string | null;
  readonly failure: string | null;
  readonly expiryTime: string | null;
};
export type ServerJobs = {
  readonly exports: readonly Export[];
  readonly imports: readonly Import[];
  readonly error?: unknown;
};

/** The server does these for the person whatever becomes of pages; undefined while they are not read. */
export const serverJobs = signal<ServerJobs | undefined>(undefined);

const EACH_MS = 3_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export const isUnderWay = ({ state }: Pick<Import, 'state'>): boolean => state === 'WAITING' || state === 'RUNNING';

/** Reads them, and again for as long as something goes on. */
export async function readServerJobs(): Promise<void> {
  clearTimeout(timer);
  try {
    const [exports, imports] = await Promise.all([
      call<readonly Export[]>('GET', '/exports'),
      call<readonly Import[]>('GET', '/imports'),
    ]);
    serverJobs.value = { exports, imports };
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

/** Records that are written already stay. */
export async function cancelImport(id: string): Promise<void> {
  await call('DELETE', `/imports/${encodeURIComponent(id)}`);
  await readServerJobs();
}

/** Returns a link to the file of an export; it names the account, as requests of ours do. */
export const exportAddress = (id: string): string =>
  `/api/v1/exports/${encodeURIComponent(id)}/file?${new URLSearchParams({ account: start().account.id })}`;

/** An export is made of these (docs/reference/writing.md#exports). */
export type ExportAsked = {
  readonly nodes: readonly string[];
  readonly format: Export['format'];
  readonly layout: Export['layout'];
  readonly startTime?: string;
  readonly endTime?: string;
  readonly timezone: string;
  readonly timezoneAdjustForDst: 'TRUE' | 'FALSE';
  readonly quality: 'NONE' | 'SEPARATE_VALUE';
  readonly annotation: 'NONE' | 'SEPARATE_VALUE';
};

/** The server makes it from then on, whatever becomes of the page. */
export async function beginExport(asked: ExportAsked): Promise<void> {
  await call('POST', '/exports', { body: asked });
  await readServerJobs();
}
