import { Readable } from 'node:stream';
import type { Objects } from '@catchment/bus';
import type pg from 'pg';
import type { BlobRef, Manifest } from './manifest.ts';
import type { Repository } from './repository.ts';

type Kept = Map<string, BlobRef>;

/** Yields the names of the objects of files (services/nodes/src/files): their pieces and the preview. A name never gets another content. */
async function* objectNames(client: pg.Client): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const { rows } = await client.query<{ file_id: string; segments: number }>(
      'SELECT file_id, segments FROM nodes.files WHERE NOT is_removing AND file_id > $1 ORDER BY file_id LIMIT 1000',
      [after],
    );
    for (const { file_id, segments } of rows) {
      for (let index = 0; index < segments; index += 1) yield `${file_id}/${index}`;
      yield `${file_id}/preview`;
      after = file_id;
    }
    if (rows.length < 1_000) return;
  }
}

/**
 * Keeps the objects of all files that `client` sees, besides those that are kept already.
 * @param earlier a backup that has most of them
 * @returns pieces of files that are not there
 */
export async function keepObjects(
  client: pg.Client,
  objects: Objects,
  repository: Repository,
  kept: Kept,
  earlier: Manifest | undefined,
): Promise<string[]> {
  const known = new Map(earlier?.objects.map(({ name, blob }) => [name, blob]));
  const gone: string[] = [];
  for await (const name of objectNames(client)) {
    if (kept.has(name)) continue;
    const before = known.get(name);
    if (before && (await repository.has(before))) {
      kept.set(name, before);
      continue;
    }
    const bytes = await objects.get(name);
    if (bytes) kept.set(name, await repository.write(Readable.from([bytes])));
    // Most files have no preview.
    else if (!name.endsWith('/preview')) gone.push(name);
  }
  return gone;
}
