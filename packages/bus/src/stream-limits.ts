import type { EnvReader } from '@catchment/config';
import { STREAMS, type StreamName } from './streams.ts';

const MIB = 1024 * 1024;
/** A stream that is smaller is full after some dozens of messages. */
const LIMIT_MIB = { min: 64, max: 1_048_576 } as const;

/** Room of streams by the settings `STREAM_<NAME>_MIB`, bytes; those that are not set are left out. */
export function streamMaxBytes(read: Pick<EnvReader, 'int' | 'optionalText'>): Partial<Record<StreamName, number>> {
  const limits: Partial<Record<StreamName, number>> = {};
  for (const name of Object.keys(STREAMS) as StreamName[]) {
    const setting = `STREAM_${name}_MIB`;
    if (read.optionalText(setting) !== undefined) limits[name] = read.int(setting, LIMIT_MIB) * MIB;
  }
  return limits;
}
