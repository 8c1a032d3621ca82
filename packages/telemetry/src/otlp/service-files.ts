import path from 'node:path';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ISerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { FileExporter } from './file-exporter.ts';
import type { Signal } from './settings.ts';

/** Writes a file for each service: `<service>.<signal>.jsonl`. */
export class ServiceFiles<T> {
  readonly #fileOf: (service: string) => FileExporter<T>;
  readonly #parts: (items: T) => Map<string, T>;
  readonly #files = new Map<string, FileExporter<T>>();

  /** @param parts what is exported together, by service */
  constructor(
    { folder, signal }: { readonly folder: string; readonly signal: Signal },
    serializer: Pick<ISerializer<T, unknown>, 'serializeRequest'>,
    parts: (items: T) => Map<string, T>,
  ) {
    this.#fileOf = (service) => new FileExporter(path.join(folder, `${service}.${signal}.jsonl`), serializer);
    this.#parts = parts;
  }

  export(items: T, done: (result: ExportResult) => void): void {
    const parts = [...this.#parts(items)];
    const written = parts.map(
      ([service, ofService]) => new Promise<ExportResult>((resolve) => this.#file(service).export(ofService, resolve)),
    );
    void Promise.all(written).then((results) => done(worstOf(results)));
  }

  async forceFlush(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.forceFlush()));
  }

  shutdown(): Promise<void> {
    return this.forceFlush();
  }

  #file(service: string): FileExporter<T> {
    const file = this.#files.get(service) ?? this.#fileOf(service);
    this.#files.set(service, file);
    return file;
  }
}

export const serviceOf = (resource: Resource): string => String(resource.attributes['service.name']);

/** Spans and log records by their service. */
export const byService = <T extends { readonly resource: Resource }>(items: readonly T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ resource }) => serviceOf(resource));

/** Returns the worst result of exports that are one to the exporter's caller. */
export const worstOf = (results: readonly ExportResult[]): ExportResult =>
  results.find(({ code }) => code !== ExportResultCode.SUCCESS) ?? { code: ExportResultCode.SUCCESS };
