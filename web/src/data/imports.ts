import { call } from './call.ts';

/** What was read of a file (docs/reference/acquisition.md#events-of-an-acquisition). */
export type FileReport = {
  readonly lines: number;
  readonly parsed: number;
  readonly records: number;
  /** Of lines that were read. */
  readonly unreadableFields: number;
  readonly firstFailure: string | null;
  /** Sentences of the server. */
  readonly notes: readonly string[];
};

/** An import of the person (docs/reference/writing.md#imports). */
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

/** A line of a text, or a field of one, that was not read. */
export type RefusedLine = {
  readonly line: number;
  /** From 1; null: the whole line. */
  readonly column: number | null;
  readonly reason: string;
  readonly text: string;
};
/** The first ones, and how many there are; null: none are known. */
export type RefusedLines = { readonly count: number; readonly lines: readonly RefusedLine[] } | null;

const address = (id: string): `/${string}` => `/imports/${encodeURIComponent(id)}`;

/** What was not read of the file of an import, which lists do not have. */
export const refusedOf = async (id: string, signal: AbortSignal): Promise<RefusedLines> =>
  (await call<{ readonly refused: RefusedLines }>('GET', address(id), { signal })).refused;

/** Bytes that an import may have (docs/reference/limits.md). */
export const IMPORT_BYTES = 250 * 1024 * 1024;

/** Hands a file to a source, which reads all of it; `followImport` tells how far it is. */
export async function beginImport(sourceId: string, file: File, key?: string): Promise<Import> {
  const body = new FormData();
  body.append('file', file, file.name);
  const answer = await call<{ import: Import }>('POST', `/nodes/${encodeURIComponent(sourceId)}/import`, { body, key });
  return answer.import;
}

const ASKED_EACH_MS = 500;

/** Asks how far an import is until it has ended. @throws Error with the reason where it failed */
export async function followImport(id: string, onNews: (news: Import) => void): Promise<Import> {
  for (;;) {
    const news = await call<Import>('GET', `/imports/${encodeURIComponent(id)}`);
    onNews(news);
    if (news.state === 'DONE') return news;
    if (news.state === 'FAILED' || news.state === 'CANCELLED') throw new Error(news.failure ?? news.state);
    await new Promise((resolve) => setTimeout(resolve, ASKED_EACH_MS));
  }
}
