import { signal } from '@preact/signals';
import { nodePath } from '../requests/call.ts';
import { newKey } from '../requests/client.ts';
import { isRefusal } from '../requests/failures.ts';
import { sendFile } from '../requests/send-file.ts';
import { type FileReport, IMPORT_BYTES, type Import } from './imports.ts';
import { runJob } from './jobs.ts';
import { readServerJobs } from './server-jobs.ts';

/** A file becomes a separate node, what a source reads as if its station had sent it, or an import. */
export type UploadKind = 'attachment' | 'data' | 'import';
/** A file may have this many bytes, and this many are taken at a time (docs/reference/limits.md). */
export const MOST_BYTES: Readonly<Record<UploadKind, number>> = {
  attachment: 100 * 1024 * 1024,
  data: 100 * 1024 * 1024,
  import: IMPORT_BYTES,
};
export const MOST_FILES = 100;

/** A file is not sent at all for one of these reasons. */
type Lack = 'empty' | 'tooLarge' | 'unreadable' | 'type';
type Outcome =
  | { readonly kind: 'attachment'; readonly nodeId: string }
  /** The file is kept where there is no report, and will be read. */
  | { readonly kind: 'data'; readonly report: FileReport | undefined }
  | { readonly kind: 'import'; readonly import: Import };

export type Upload = {
  readonly id: number;
  /** The file goes to this node. */
  readonly nodeId: string;
  readonly kind: UploadKind;
  readonly file: File;
  readonly settings: Readonly<Record<string, string>>;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused' | 'cancelled';
  /** The part, 0 to 1, has left. */
  readonly part: number;
  readonly lack?: Lack;
  readonly error?: unknown;
  readonly outcome?: Outcome;
};

export type UploadAsked = Pick<Upload, 'nodeId' | 'kind'> & {
  readonly files: readonly File[];
  /** Label in the job list. */
  readonly label: string;
  /** Other fields of the form. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Endings that are taken; none: all. */
  readonly types?: readonly string[];
};

/** Pages of this tab were given these files, the newest first. They go on whatever page is shown. */
export const uploads = signal<readonly Upload[]>([]);

/** Others wait, so that the first ones are there soon. */
const AT_ONCE = 2;
/** Uploads that have ended are forgotten beyond it. */
const MOST_KEPT = 300;

type Task = { readonly stop: AbortController; readonly ended: PromiseWithResolvers<void>; key: string };
const tasks = new Map<number, Task>();
let last = 0;

const isOver = ({ state }: Upload): boolean => state !== 'waiting' && state !== 'sending';

function change(id: number, to: Partial<Upload>): void {
  uploads.value = uploads.peek().map((upload) => (upload.id === id ? { ...upload, ...to } : upload));
}

/** Sends files one after the other; those that cannot be taken are reported as such, and never sent. */
export async function sendFiles({ files, label, types = [], settings = {}, ...to }: UploadAsked): Promise<void> {
  const given = await Promise.all(
    files.slice(0, MOST_FILES).map(async (file): Promise<Upload> => {
      const lack = await lackOf(file, to.kind, types);
      last += 1;
      return { id: last, ...to, file, settings, part: 0, state: lack ? 'refused' : 'waiting', ...(lack && { lack }) };
    }),
  );
  const before = uploads.peek();
  const kept = before.length > MOST_KEPT ? before.filter((upload) => !isOver(upload)) : before;
  uploads.value = [...given, ...kept];
  run(
    given.filter(({ lack }) => lack === undefined),
    label,
  );
}

/** Sends one again that failed or was cancelled. What the server has taken already is not taken twice. */
export function sendAgain(id: number, label: string): void {
  const found = uploads.peek().find((upload) => upload.id === id);
  if (found === undefined || !isOver(found) || found.lack !== undefined) return;
  // A file that was refused, or is read anew with another parser, is another request.
  const isSame = found.error !== undefined && !isRefusal(found.error);
  const key = isSame ? tasks.get(id)?.key : undefined;
  const { error: _error, outcome: _outcome, ...rest } = found;
  const next: Upload = { ...rest, state: 'waiting', part: 0 };
  uploads.value = uploads.peek().map((upload) => (upload.id === id ? next : upload));
  run([next], label, key);
}

export function cancelUpload(id: number): void {
  const found = uploads.peek().find((upload) => upload.id === id);
  if (found === undefined || isOver(found)) return;
  change(id, { state: 'cancelled' });
  const task = tasks.get(id);
  task?.stop.abort();
  task?.ended.resolve();
  sendNext();
}

/** Takes what has ended out of the list. */
export function forgetUploads(isOne: (upload: Upload) => boolean): void {
  for (const upload of uploads.peek()) if (isOver(upload) && isOne(upload)) tasks.delete(upload.id);
  uploads.value = uploads.peek().filter((upload) => !isOver(upload) || !isOne(upload));
}

/** Finds what speaks against a file before anything of it is sent. */
async function lackOf(file: File, kind: UploadKind, types: readonly string[] = []): Promise<Lack | undefined> {
  try {
    // A folder, or a file that was moved, has no bytes that can be read.
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return 'unreadable';
  }
  if (file.size === 0) return 'empty';
  if (file.size > MOST_BYTES[kind]) return 'tooLarge';
  const ending = file.name.toLowerCase().split('.').slice(1).at(-1);
  return types.length > 0 && !types.some((type) => type.toLowerCase() === ending) ? 'type' : undefined;
}

/** All of them are one entry in the list of jobs. */
function run(given: readonly Upload[], label: string, key?: string): void {
  const nodeId = given[0]?.nodeId;
  if (nodeId === undefined) return;
  for (const { id } of given)
    tasks.set(id, { stop: new AbortController(), ended: Promise.withResolvers(), key: key ?? newKey() });
  const ids = new Set(given.map(({ id }) => id));
  const bytes = given.reduce((sum, { file }) => sum + file.size, 0);
  const mine = () => uploads.peek().filter(({ id }) => ids.has(id));
  const job = async (progress: (part: number) => void) => {
    let announced = 0;
    const stop = uploads.subscribe(() => {
      const sent =
        mine().reduce((sum, upload) => sum + upload.file.size * (isOver(upload) ? 1 : upload.part), 0) / bytes;
      // Other tabs are notified each time.
      if (sent - announced < 0.02) return;
      announced = sent;
      queueMicrotask(() => progress(sent));
    });
    try {
      await Promise.all(given.map(({ id }) => tasks.get(id)?.ended.promise));
    } finally {
      stop();
    }
    const failed = mine().find(({ state }) => state === 'failed');
    if (failed) throw failed.error;
  };
  // Each file shows its failure itself.
  runJob(label, job, { nodeId }).catch(() => undefined);
  sendNext();
}

function sendNext(): void {
  const all = uploads.peek();
  const going = all.filter(({ state }) => state === 'sending').length;
  const waiting = all.filter(({ state }) => state === 'waiting').sort((a, b) => a.id - b.id);
  for (const upload of waiting.slice(0, Math.max(AT_ONCE - going, 0))) void sendOne(upload);
}

async function sendOne(upload: Upload): Promise<void> {
  const { id } = upload;
  const task = tasks.get(id);
  if (task === undefined) return;
  change(id, { state: 'sending' });
  const { signal: stopped } = task.stop;
  try {
    const onSent = (part: number) => {
      if (!stopped.aborted) change(id, { part });
    };
    const outcome = await SENDERS[upload.kind](upload, { signal: stopped, key: task.key, onSent });
    // An upload that was cancelled as its last byte left may be there: the list of files shows it.
    if (!stopped.aborted) change(id, { state: 'done', part: 1, outcome });
  } catch (error) {
    if (!stopped.aborted) change(id, { state: 'failed', error });
  }
  task.ended.resolve();
  sendNext();
}

type Sender = (upload: Upload, options: Parameters<typeof sendFile>[2]) => Promise<Outcome>;

function formOf({ file, settings }: Upload): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(settings)) form.append(name, value);
  form.append('file', file, file.name);
  return form;
}

const SENDERS: Readonly<Record<UploadKind, Sender>> = {
  attachment: async (upload, options) => {
    const { _id } = await sendFile<{ _id: string }>(`${nodePath(upload.nodeId)}/attachments`, formOf(upload), options);
    return { kind: 'attachment', nodeId: _id };
  },
  data: async (upload, options) => {
    const path = `${nodePath(upload.nodeId)}/files?${new URLSearchParams({ name: upload.file.name })}` as const;
    type Answer = { readonly file: FileReport & { readonly state: 'PROCESSED' | 'PROCESSING' } };
    const { file } = await sendFile<Answer>(path, upload.file, options);
    return { kind: 'data', report: file.state === 'PROCESSED' ? file : undefined };
  },
  import: async (upload, options) => {
    const answer = await sendFile<{ import: Import }>(`${nodePath(upload.nodeId)}/import`, formOf(upload), options);
    void readServerJobs();
    return { kind: 'import', import: answer.import };
  },
};
