import { statfs } from 'node:fs/promises';
import { type Finding, ok, problem, warning } from '@catchment/bus';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';

const GIB = 1024 ** 3;
const ADVICE = 'Make room, or move the data folder to a larger disk: without room nothing is accepted.';

/** Checks the disk of a local installation; servers elsewhere report theirs in their own checks. */
export const disk = ({ dataDir }: Installation): Check => ({
  about: 'disk',
  advice: ADVICE,
  look: async () => {
    if (dataDir === undefined) return [];
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return [spaceFinding(bavail * bsize, blocks * bsize)];
  },
});

export function spaceFinding(freeBytes: number, allBytes: number): Finding {
  const says = `${(freeBytes / GIB).toFixed(1)} GiB of ${(allBytes / GIB).toFixed(1)} GiB are free`;
  if (freeBytes < GIB) return problem('disk', says, ADVICE);
  if (freeBytes < 5 * GIB && freeBytes < allBytes / 10) return warning('disk', says, ADVICE);
  return ok('disk', says);
}
