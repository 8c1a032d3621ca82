import type { Picture } from '../../src/domain/chart.ts';
import type { ImageRequest } from '../../src/usecases/ports.ts';
import { renderNode } from '../../src/usecases/render-node.ts';
import type { Case } from './cases.ts';
import { depsOf } from './world.ts';

const NOW = Date.parse('2024-05-18T00:00:00Z');
const call = { token: '', deadlineMs: Number.POSITIVE_INFINITY, signal: new AbortController().signal };

export type Draw = (request: ImageRequest) => Promise<Uint8Array>;

/** Returns the picture of a case, and what it was drawn of. */
export async function drawCase({ world, nodeRef, arguments: given }: Case, draw: Draw, format = 'PNG') {
  let request: ImageRequest | undefined;
  const deps = depsOf(world, (asked) => {
    request = asked;
    return draw(asked);
  });
  const sizes = { width: '600', height: '400', format };
  const { bytes } = await renderNode(deps, { nodeRef, arguments: { ...sizes, ...given }, arrivalMs: NOW }, call);
  return { bytes, picture: request?.chart as Picture };
}

export const nameOf = ({ group, setting, value }: Case): string => `${group}, ${setting}: ${value}`;

const PICTURES = new URL('pictures/', import.meta.url);

/** Returns where the picture of a case lies as it is to look. */
export const pictureFile = (example: Case): URL =>
  new URL(
    `${nameOf(example)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')}.png`,
    PICTURES,
  );
