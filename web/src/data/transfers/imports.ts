import { call, nodePath } from '../requests/call.ts';

/** A file that was read has this report (docs/reference/acquisition.md#events-of-an-acquisition). */
export type FileReport = {
  readonly lines: number;
  readonly parsed: number;
  readonly records: number;
  /** Lines that were read have these fields. */
  readonly unreadableFields: number;
  readonly firstFailure: string | null;
  /** Sentences of the server. */
  readonly notes: readonly string[];
};

/** The person's import (docs/reference/writing.md#imports). */
export type Import = {
  readonly _id: string;
  readonly nodeId: string;
  readonly fileName: string;
  readonly state: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';
  readonly sizeBytes: number;
  readonly records: number;
  readonly recordsTotal: number | null;
  readonly createdTime: string;
  readonly endedTime: string | null;
  readonly failure: string | null;
  readonly report: FileReport | null;
};

/** A line of a text, or a field of one, was not read. */
type RefusedLine = {
  readonly line: number;
  /** The first column is 1; null means the whole line. */
  readonly column: number | null;
  readonly reason: string;
  readonly text: string;
};
/** The first refused lines stand here, and how many there are; null: none are known. */
export type RefusedLines = { readonly count: number; readonly lines: readonly RefusedLine[] } | null;

const address = (id: string): `/${string}` => `/imports/${encodeURIComponent(id)}`;

/** Reads what was not read of the file of an import, which lists do not have. */
export const refusedOf = async (id: string, signal: AbortSignal): Promise<RefusedLines> =>
  (await call<{ readonly refused: RefusedLines }>('GET', address(id), { signal })).refused;

/** An import may have this many bytes (docs/reference/limits.md). */
export const IMPORT_BYTES = 250 * 1024 * 1024;

/** Hands a file to a source, which reads all of it; `followImport` reports how far it is. */
export async function beginImport(sourceId: string, file: File, key?: string): Promise<Import> {
  const body = new FormData();
  body.append('file', file, file.name);
  const answer = await call<{ import: Import }>('POST', `${nodePath(sourceId)}/import`, { body, key });
  return answer.import;
}

/** It has ended without what was in the file. */
export class ImportFailed extends Error {}

const ASKED_FIRST_MS = 500;
const ASKED_EACH_MS = 5_000;
/** An import that nothing is heard of for this long is not waited for any more: it may go on, and the list of imports has it. */
const SILENT_MS = 30 * 60_000;

/** Asks how far an import is until it has ended. @throws ImportFailed; Error where it has not moved for half an hour */
export async function followImport(id: string, onNews: (news: Import) => void): Promise<Import> {
  let [before, sinceMs, restMs] = ['', performance.now(), ASKED_FIRST_MS];
  for (;;) {
    const news = await call<Import>('GET', address(id));
    onNews(news);
    const { state, records, recordsTotal, failure } = news;
    if (state === 'DONE') return news;
    if (state === 'FAILED' || state === 'CANCELLED') throw new ImportFailed(failure ?? state);
    const now = `${state} ${records} ${recordsTotal}`;
    if (now !== before) [before, sinceMs] = [now, performance.now()];
    if (performance.now() - sinceMs > SILENT_MS) throw new Error(`the import ${id} has not moved for half an hour`);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    restMs = Math.min(restMs * 1.2, ASKED_EACH_MS);
  }
}
