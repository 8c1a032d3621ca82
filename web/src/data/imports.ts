import { call } from './call.ts';

/** What was read of a file (docs/reference/acquisition.md#events-of-an-acquisition). */
export type FileReport = {
  readonly lines: number;
  readonly parsed: number;
  readonly records: number;
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
