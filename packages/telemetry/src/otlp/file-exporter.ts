import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ISerializer } from '@opentelemetry/otlp-transformer';

/** A file that is larger becomes the previous one, which is replaced: so much twice for each service and signal at the most. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Appends what is exported to a file, one line of OTLP/JSON for each export (OpenTelemetry Protocol File Exporter). Processes may share
 * it: a line is written at once.
 */
export class FileExporter<T> {
  readonly #file: string;
  readonly #serializer: Pick<ISerializer<T, unknown>, 'serializeRequest'>;
  readonly #maxBytes: number;
  #written: Promise<void> = Promise.resolve();

  constructor(file: string, serializer: Pick<ISerializer<T, unknown>, 'serializeRequest'>, maxBytes = MAX_BYTES) {
    this.#file = file;
    this.#serializer = serializer;
    this.#maxBytes = maxBytes;
  }

  export(items: T, done: (result: ExportResult) => void): void {
    const line = this.#serializer.serializeRequest(items);
    // Each is tried on its own.
    this.#written = this.#written
      .then(() => this.#append(line))
      .then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error: Error) => done({ code: ExportResultCode.FAILED, error }),
      );
  }

  async forceFlush(): Promise<void> {
    await this.#written;
  }

  shutdown(): Promise<void> {
    return this.forceFlush();
  }

  async #append(line: Uint8Array | undefined): Promise<void> {
    if (!line) throw new Error('nothing to write');
    await mkdir(path.dirname(this.#file), { recursive: true });
    const size = await stat(this.#file).then(
      (file) => file.size,
      () => 0,
    );
    if (size > 0 && size + line.length >= this.#maxBytes)
      await rename(this.#file, this.#file.replace(/(\.jsonl)?$/, '.previous$1'));
    await appendFile(this.#file, Buffer.concat([line, Buffer.from('\n')]));
  }
}
