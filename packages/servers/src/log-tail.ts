import { open } from 'node:fs/promises';

const TAIL_BYTES = 2_048;

/** The end of a log, for an error message; empty when there is none. */
export async function tailOf(logFile: string, bytes = TAIL_BYTES): Promise<string> {
  try {
    await using file = await open(logFile, 'r');
    const { size } = await file.stat();
    const start = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, start);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch {
    return '';
  }
}
