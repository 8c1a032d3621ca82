import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const prints = new WeakMap<IncomingMessage, Hash>();

/** Distinguishes an upload from others: the print is made as its bytes come, only where somebody asks for it before. */
export function printUpload(raw: IncomingMessage): { digest(): Buffer } {
  const print = createHash('sha256');
  prints.set(raw, print);
  let digest: Buffer | undefined;
  return { digest: () => (digest ??= print.digest()) };
}

/** Notes bytes of the file of an upload. */
export const printFile = (raw: IncomingMessage, data: Uint8Array): void => void prints.get(raw)?.update(data);

/** Notes what came beside the file. Boundaries of forms are others each time, and do not count. */
export const printForm = (raw: IncomingMessage, fileName: string, fields: ReadonlyMap<string, string>): void =>
  void prints.get(raw)?.update(JSON.stringify([fileName, ...[...fields].sort()]));
