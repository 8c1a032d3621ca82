import { setTimeout as wait } from 'node:timers/promises';
import { DomainError, tooLarge } from '@catchment/errors';
import {
  type CollectFiles,
  CommunicationFailure,
  type FileCollection,
  type FileConnection,
  type RemoteFile,
} from '../../acquisition/index.ts';
import { type FetchedFile, FILE_MAX_BYTES } from '../../files/index.ts';
import { isNamedZip, withoutGz } from '../../reading/index.ts';
import { entryFor, type FileEntry, type FileSource, ignored, shownName } from '../../sources/index.ts';
import { ByteTally } from '../domain/byte-tally.ts';
import { type Grown, isReset, keyOf, planOf } from '../domain/plan.ts';
import { type Content, grownPart } from './grown-part.ts';
import type { Store, Stored } from './ports.ts';

/** Files that are compared with what is known of them at a time. */
const CHUNK = 500;
/** Files that one session takes, and characters of their paths; the next session goes on. */
const WANTED_MAX = 10_000;
const WANTED_CHARACTERS_MAX = 1024 * 1024;
/** This many keys of a listing are kept, so that files that are gone from it can be forgotten. */
const KEYS_MAX = 50_000;
/** At most this many files that no entry matches get an event. */
const IGNORED_REPORTED = 20;
/** The account has as many files waiting as it may. */
const ROOM_EVERY_MS = 1_000;
const ROOM_TRIES = 600;

type Wanted = {
  readonly file: RemoteFile;
  readonly key: string;
  readonly entry: FileEntry | undefined;
  readonly known: FetchedFile | undefined;
  readonly grown?: Grown;
  /** It is in the log: only its removal is still to be done. */
  readonly isDone?: true;
};

type Deps = FileCollection & { readonly store: Store; readonly connection: FileConnection };

/**
 * Takes what is new out of a connection (docs/reference/acquisition.md#what-is-new). What is known of a file is stored in the transaction
 * that makes it durable, so that whoever goes on after a crash takes it again, or not at all.
 */
export const collectFiles =
  (store: Store): CollectFiles =>
  async (connection, collection) => {
    const deps: Deps = { ...collection, store, connection };
    const wanted = await wantedFiles(deps);
    let fetched = 0;
    let failure: unknown;
    for (const file of wanted) {
      deps.signal.throwIfAborted();
      try {
        if (await fetchFile(deps, file)) fetched += 1;
      } catch (error) {
        // URLs have nothing to do with each other; at one place the next file would fail as well.
        if (file.file.entry === undefined || !(error instanceof CommunicationFailure)) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
    if (fetched === 0) await deps.progress.event('DEBUG', 'No new records');
  };

/** Returns the files of the other side of which something is new, the oldest first. */
async function wantedFiles(deps: Deps): Promise<readonly Wanted[]> {
  const { store, connection, source, progress, signal } = deps;
  const wanted: Wanted[] = [];
  const keys: string[] = [];
  let isWhole = true;
  let reported = 0;
  const report = async (chunk: readonly RemoteFile[]) => {
    const choice = await chosen(deps, chunk);
    wanted.push(...choice.wanted);
    if (choice.ignored.size === 0) return;
    const fresh = await store.ignoreFiles(source.sourceId, [...choice.ignored.keys()]);
    for (const key of fresh) {
      if (reported === IGNORED_REPORTED) break;
      reported += 1;
      await progress.event('DEBUG', ignored(choice.ignored.get(key)?.name ?? ''));
    }
  };
  let chunk: RemoteFile[] = [];
  for await (const file of connection.files(signal)) {
    chunk.push(file);
    if (keys.length < KEYS_MAX) keys.push(keyOfFile(deps.files, file));
    else isWhole = false;
    if (chunk.length < CHUNK) continue;
    await report(chunk);
    chunk = [];
    const characters = wanted.reduce((sum, { file: { path } }) => sum + path.length, 0);
    if (wanted.length < WANTED_MAX && characters < WANTED_CHARACTERS_MAX) continue;
    isWhole = false;
    break;
  }
  await report(chunk);
  if (isWhole) await store.forgetFetchedFiles(source.sourceId, { but: keys });
  return wanted.sort(
    (a, b) => (a.file.modifiedMs ?? 0) - (b.file.modifiedMs ?? 0) || a.file.path.localeCompare(b.file.path),
  );
}

/** A URL changes with time; its entry does not. */
const keyOfFile = ({ files = [] }: FileSource, { path, entry }: RemoteFile): string =>
  entry === undefined ? keyOf('path', path) : keyOf('entry', files[entry]?.entryId || `${entry}`);

async function chosen(deps: Deps, files: readonly RemoteFile[]) {
  const { store, source } = deps;
  const keyed = files.map((file) => ({ file, key: keyOfFile(deps.files, file) }));
  const known = new Map(
    (
      await store.fetchedFiles(
        source.sourceId,
        keyed.map(({ key }) => key),
      )
    ).map((file) => [file.key, file]),
  );
  const wanted: Wanted[] = [];
  const ignoredFiles = new Map<string, RemoteFile>();
  for (const { file, key } of keyed) {
    const entry =
      file.entry === undefined ? entryFor(deps.files, withoutGz(file.name), file.name) : deps.files.files?.[file.entry];
    const before = known.get(key);
    // Members of archives have names of their own.
    if (!entry && (deps.files.files ?? []).length > 0 && !isNamedZip(file.name)) {
      if (!before?.isIgnored) ignoredFiles.set(key, file);
      continue;
    }
    const target = { file, key, entry, known: before };
    const plan = planOf(file, before, {
      readsAll: deps.files.readMode === 'ALL',
      mayGrow: source.sourceClass === TEXT && !removes(deps),
      acquireTimeMs: entry?.acquireTimeMs,
    });
    if (plan.kind === 'GROWN') wanted.push({ ...target, grown: plan.known });
    else if (plan.kind === 'WHOLE') wanted.push(target);
    // It could not be removed, or the process died before.
    else if (removes(deps)) wanted.push({ ...target, isDone: true });
  }
  return { wanted, ignored: ignoredFiles };
}

const TEXT = 'source.data.TextParser';

const removes = ({ connection, files }: Deps): boolean =>
  connection.remove !== undefined && (connection.alwaysRemoves === true || files.deleteAfterAcquire === true);

/** @returns whether a file was handed over */
async function fetchFile(deps: Deps, target: Wanted): Promise<boolean> {
  if (target.isDone) {
    await removed(deps, target);
    return false;
  }
  try {
    if (deps.connection.readIfChanged) return await fetchVersion(deps, target);
    if (target.grown) {
      const part = await grownPart(deps, target.file, target.grown);
      if (part === 'NOTHING') return false;
      if (part !== 'WHOLE') return await delivered(deps, target, part);
    }
    const { file } = target;
    if ((file.sizeBytes ?? 0) > FILE_MAX_BYTES) throw tooLarge();
    const bytes = () => deps.connection.read(file, 0, deps.signal);
    return await delivered(deps, target, { bytes, tally: new ByteTally() });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'too_large') throw error;
    // It would be too large the next time.
    await deps.store.saveFetchedFile(deps.source.sourceId, {
      key: target.key,
      ...sizeOf(target.file),
      ...acquireTimeOf(target),
    });
    const megabytes = Math.floor(FILE_MAX_BYTES / 1024 / 1024);
    await deps.progress.event('WARNING', `'${shownName(target.file.name)}' is larger than ${megabytes} MB`);
    return false;
  }
}

async function fetchVersion(deps: Deps, target: Wanted): Promise<boolean> {
  const { connection, files, signal } = deps;
  const { file, known, entry } = target;
  const isNew = !known || files.readMode === 'ALL' || isReset(known, entry?.acquireTimeMs);
  const found = await connection.readIfChanged?.(file, isNew ? undefined : known.version, signal);
  if (!found) return false;
  let bytes: AsyncIterable<Uint8Array> | undefined = found.bytes;
  return delivered(deps, target, {
    tally: new ByteTally(),
    ...(found.version !== undefined && { version: found.version }),
    ...(!isNew && known.recordsUntilMs !== undefined && { afterMs: known.recordsUntilMs }),
    // A response is read once: where there was no room, it is asked for again.
    bytes: () => {
      const first = bytes;
      bytes = undefined;
      return first ?? connection.read(file, 0, signal);
    },
  });
}

async function delivered(deps: Deps, target: Wanted, content: Content): Promise<boolean> {
  const { deliver, files, signal } = deps;
  const { file, entry } = target;
  const { before, tally } = content;
  const afterMs = latest(entry?.acquireTimeMs, content.afterMs, target.known ? undefined : initialMs(deps));
  const { fetched: _, ...rest } = files;
  const source: FileSource = {
    ...rest,
    sourceClass: deps.source.sourceClass,
    // The entry was chosen by its place: names of files say nothing.
    ...(file.entry !== undefined && { files: [], parser: entry?.parser ?? files.parser ?? null }),
    fetched: {
      key: target.key,
      ...(afterMs !== undefined && { afterMs }),
      ...(before && { part: { bytes: before.bytes.length, lines: before.lines, ...untilOf(target) } }),
    },
  };
  async function* bytes() {
    if (before) yield before.bytes;
    for await (const piece of content.bytes()) {
      tally.push(piece);
      yield piece;
    }
    readMs = deps.now();
  }
  const removesIt = removes(deps);
  let readMs = deps.now();
  const begun = tally.sizeBytes;
  const result = await withRoom(signal, () =>
    deliver({
      source,
      fileName: file.name,
      bytes: bytes(),
      maxBytes: FILE_MAX_BYTES + (before?.bytes.length ?? 0),
      isReported: false,
      completed: async (tx: Stored) => {
        await tx.saveFetchedFile(deps.source.sourceId, {
          key: target.key,
          sizeBytes: tally.sizeBytes,
          ...(file.modifiedMs !== undefined && { modifiedMs: file.modifiedMs }),
          ...(content.version !== undefined && { version: content.version }),
          head: tally.head,
          // A file that is removed has nothing to do with the next one of its name.
          ...(tally.readTo > 0 && !removesIt && { readTo: tally.readTo, lines: tally.lines }),
          ...acquireTimeOf(target),
        });
      },
    }),
  );
  if (!result) return false;
  await reportAcquired(deps, target, { bytes: tally.sizeBytes - begun, readMs });
  return true;
}

const untilOf = ({ known }: Wanted) => (known?.recordsUntilMs === undefined ? {} : { untilMs: known.recordsUntilMs });

/** Later ones of these times count. */
const latest = (...times: readonly (number | undefined)[]): number | undefined => {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
};

/** Records before the start of the initial collection are left out. */
function initialMs({ source }: Deps): number | undefined {
  const { initialCollection } = source.attributes;
  const ms = typeof initialCollection === 'string' ? Date.parse(initialCollection) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms - 1;
}

const sizeOf = ({ sizeBytes, modifiedMs }: RemoteFile) => ({
  ...(sizeBytes !== undefined && { sizeBytes }),
  ...(modifiedMs !== undefined && { modifiedMs }),
});

const acquireTimeOf = ({ entry }: Wanted) =>
  entry?.acquireTimeMs === undefined ? {} : { acquireTimeMs: entry.acquireTimeMs };

/** The event has the time at which the file was read to its end: it may be processed before it is reported. */
async function reportAcquired(
  deps: Deps,
  target: Wanted,
  { bytes, readMs }: { bytes: number; readMs: number },
): Promise<void> {
  const name = shownName(target.file.name);
  const isRemoved = removes(deps) && (await removed(deps, target));
  await deps.progress.event('DEBUG', `Acquired ${isRemoved ? 'and deleted ' : ''}'${name}' [${bytes} bytes]`, readMs);
}

/** @returns whether the other side let it be removed */
async function removed({ connection, store, source, progress, signal }: Deps, { file, key }: Wanted): Promise<boolean> {
  try {
    await connection.remove?.(file, signal);
  } catch (error) {
    if (!(error instanceof CommunicationFailure)) throw error;
    await progress.event('WARNING', `'${shownName(file.name)}' could not be deleted: ${error.message}`);
    return false;
  }
  await store.forgetFetchedFiles(source.sourceId, { keys: [key] });
  return true;
}

/** Waits while the account has as many files as it may. */
async function withRoom<T>(signal: AbortSignal, deliver: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await deliver();
    } catch (error) {
      const isFull = error instanceof DomainError && error.reason === 'TOO_MANY_FILES';
      if (!isFull || tries === ROOM_TRIES) throw error;
      await wait(ROOM_EVERY_MS, undefined, { signal });
    }
  }
}
