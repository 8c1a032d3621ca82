import { DomainError, notFound, tooLarge } from '@catchment/errors';
import type { Converter } from '../domain/converter.ts';
import { FunctionFailed, type Sandbox } from './sandbox.ts';

/** A file of this size stays below the engine's 64 MiB, with what it becomes in an engine. */
const MAX_FILE_BYTES = 6 * 1024 * 1024;
const LIMIT_MS = 10_000;

export type FileToConvert = {
  readonly ownerId: string;
  readonly converterId: string;
  readonly fileName: string;
  readonly file: Uint8Array;
  readonly sourceName: string;
  readonly timezone: string;
  /** Unix ms: when the file came. */
  readonly timeMs: number;
};

export type ConvertDeps = {
  readonly sandbox: Sandbox;
  /** The key is the id. */
  readonly converters: ReadonlyMap<string, Converter>;
};

/**
 * A converter of the installation reads the file (docs/converters.md).
 * @returns JTS documents of at most 2 000 records
 * @throws DomainError failed_precondition: what the converter says or does; not_found: there is none of this id; too_large
 */
export async function convertFile(
  { sandbox, converters }: ConvertDeps,
  { ownerId, converterId, fileName, file, sourceName, timezone, timeMs }: FileToConvert,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const converter = converters.get(converterId);
  if (!converter) throw notFound({ reference: `converter ${converterId.slice(0, 60)}` });
  if (file.length > MAX_FILE_BYTES)
    throw tooLarge(`a converter takes files of ${MAX_FILE_BYTES >> 20} MiB at the most`);
  const context = { sourceName, timezone, receivedTime: new Date(timeMs).toISOString() };
  const call = { code: converter.code, argument: JSON.stringify({ fileName, context }), bytes: file, nowMs: timeMs };
  try {
    return await sandbox.call(ownerId, { kind: 'converter', ...call, limitMs: LIMIT_MS }, signal);
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    const message = `${converter.name} cannot read the file: ${error.message}`;
    throw new DomainError('failed_precondition', 'CONVERTER_FAILED', message.slice(0, 500), { cause: error });
  }
}
