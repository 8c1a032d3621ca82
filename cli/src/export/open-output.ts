import { once } from 'node:events';
import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Records go here. A file appears under its name once it is complete. */
export type Output = {
  write(part: string | Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Removes everything of the output. */
  abandon(): Promise<void>;
};

export function openOutput(file: string | undefined): Output {
  return file === undefined ? toStdout() : toFile(file);
}

function toStdout(): Output {
  return {
    // The write alone reports a reader that has gone, or a disk that is full.
    write: (part) =>
      new Promise((resolve, reject) => {
        process.stdout.write(part, (error) => (error ? reject(error) : resolve()));
      }),
    complete: async () => {},
    abandon: async () => {},
  };
}

/** A link leads to where somebody keeps the file: it stays. A device or a pipe is written to: a file that took its place would do harm. */
function placeOf(file: string): { readonly place: string; readonly isFile: boolean } {
  if (!existsSync(file)) return { place: file, isFile: true };
  const isFile = statSync(file).isFile();
  return { place: isFile ? realpathSync(file) : file, isFile };
}

function toFile(file: string): Output {
  const { place, isFile } = placeOf(file);
  const draft = isFile ? `${place}.part` : place;
  const stored = createWriteStream(draft);
  const first = file.endsWith('.gz') ? createGzip() : stored;
  const done = finished(stored);
  // It is awaited at the end; an earlier failure is thrown by the next write.
  done.catch(() => undefined);
  if (first !== stored) first.pipe(stored);
  return {
    write: async (part) => {
      if (!first.write(part)) await Promise.race([once(first, 'drain'), done]);
    },
    complete: async () => {
      first.end();
      await done;
      if (isFile) await rename(draft, place);
    },
    abandon: async () => {
      first.destroy();
      stored.destroy();
      await done.catch(() => undefined);
      if (isFile) await rm(draft, { force: true });
    },
  };
}
