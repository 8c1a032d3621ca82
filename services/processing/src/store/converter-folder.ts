import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@catchment/telemetry';
import { type Converter, readConverter } from '../domain/converter.ts';

const MAX_CONVERTERS = 200;

/** Reads the converters of a folder, by their ids. A file that is none is logged and left out. */
export async function readConverters(
  folder: string | undefined,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<ReadonlyMap<string, Converter>> {
  const converters = new Map<string, Converter>();
  if (folder === undefined) return converters;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  for (const name of names.slice(0, MAX_CONVERTERS)) {
    const converter = readConverter(await readFile(path.join(folder, name), 'utf8'));
    const problem =
      'problem' in converter ? converter.problem : converters.has(converter.id) ? 'its id is taken' : undefined;
    if ('problem' in converter || problem !== undefined) log.warn({ file: name, problem }, 'converter left out');
    else converters.set(converter.id, converter);
  }
  log.info({ converters: [...converters.keys()] }, 'converters read');
  return converters;
}
