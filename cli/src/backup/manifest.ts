import { createHash } from 'node:crypto';

/** This version writes and reads the format. */
export const FORMAT = 1;

/** A file of the repository. */
export type BlobRef = {
  /** The content's SHA-256, hex, is also its name. */
  readonly digest: string;
  readonly bytes: number;
  /** The file has this SHA-256 and size: compressed, and encrypted where there are recipients. */
  readonly stored: string;
  readonly storedBytes: number;
};

export type TableCopy = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** A partition has its table, and the rows that it takes. */
  readonly partition?: { readonly of: string; readonly bound: string };
  readonly blob: BlobRef;
};

export type SchemaCopy = {
  readonly name: string;
  /** The migrations were applied in this order. */
  readonly migrations: readonly string[];
  readonly sequences: readonly { readonly name: string; readonly last: number }[];
  readonly tables: readonly TableCopy[];
};

export type StreamCopied = { readonly messages: number; readonly blobs: readonly BlobRef[] };

export type RecordsCopied = {
  readonly ownerId: string;
  readonly series: number;
  readonly records: number;
  readonly blobs: readonly BlobRef[];
};

/** A manifest has everything about a backup: it is written last, so a folder without it holds none. */
export type Manifest = {
  readonly format: number;
  /** Such as 2026-11-23T17-25-14-123Z. */
  readonly name: string;
  /** This version made the backup. */
  readonly version: string;
  readonly startedMs: number;
  /** The backup holds the state of this moment. */
  readonly cutMs: number;
  readonly finishedMs: number;
  /** The backup is encrypted for these public keys; none = it is not. */
  readonly recipients: readonly string[];
  readonly partitions: number;
  /** These InfluxDBs have series, or are to have those of a workspace, besides `default`. */
  readonly shards: readonly string[];
  /** The snapshot has this newest sequence by stream; `floors` say how far each reader was. */
  readonly ends: Readonly<Record<string, number>>;
  readonly floors: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Messages of the log are applied to the records, by partition: after `from`, up to `to`. */
  readonly replay: readonly { readonly from: number; readonly to: number }[];
  readonly schemas: readonly SchemaCopy[];
  readonly streams: Readonly<Record<string, StreamCopied>>;
  readonly records: readonly RecordsCopied[];
  readonly objects: readonly { readonly name: string; readonly blob: BlobRef }[];
  /** Objects that were removed while the backup was made. */
  readonly goneObjects: readonly string[];
};

export function* blobsOf(manifest: Manifest): Generator<BlobRef> {
  for (const { tables } of manifest.schemas) for (const { blob } of tables) yield blob;
  for (const { blobs } of Object.values(manifest.streams)) yield* blobs;
  for (const { blobs } of manifest.records) yield* blobs;
  for (const { blob } of manifest.objects) yield blob;
}

export type Totals = {
  readonly accounts: number;
  readonly rows: number;
  readonly series: number;
  readonly records: number;
  readonly messages: number;
  readonly objects: number;
  readonly storedBytes: number;
};

export function totalsOf(manifest: Manifest): Totals {
  const sum = <T>(list: readonly T[], of: (item: T) => number) => list.reduce((all, item) => all + of(item), 0);
  const files = new Map([...blobsOf(manifest)].map(({ digest, storedBytes }) => [digest, storedBytes]));
  const tables = manifest.schemas.flatMap((schema) =>
    schema.tables.map((table) => ({ ...table, schema: schema.name })),
  );
  return {
    accounts: sum(tables, ({ schema, name, rows }) => (schema === 'nodes' && name === 'owners' ? rows : 0)),
    rows: sum(tables, ({ rows }) => rows),
    series: sum(manifest.records, ({ series }) => series),
    records: sum(manifest.records, ({ records }) => records),
    messages: sum(Object.values(manifest.streams), ({ messages }) => messages),
    objects: manifest.objects.length,
    storedBytes: sum([...files.values()], (bytes) => bytes),
  };
}

export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ sha256: digestOf(manifest), manifest })}\n`;

/** The text is no manifest, or not what was written. */
export class ManifestDamaged extends Error {}

/** @throws ManifestDamaged, or Error for a manifest of another format */
export function readManifest(text: string): Manifest {
  let read: { sha256?: unknown; manifest?: Manifest };
  try {
    read = JSON.parse(text);
  } catch {
    throw new ManifestDamaged('its manifest is damaged: it is no JSON');
  }
  const { sha256, manifest } = read;
  if (typeof manifest !== 'object' || manifest === null || typeof sha256 !== 'string')
    throw new ManifestDamaged('its manifest is damaged: it has no content');
  if (digestOf(manifest) !== sha256) throw new ManifestDamaged('its manifest is damaged: it is not what was written');
  if (manifest.format !== FORMAT)
    throw new Error(`it has format ${manifest.format}, and this version reads ${FORMAT}: use the version that made it`);
  return manifest;
}

const digestOf = (manifest: Manifest): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
