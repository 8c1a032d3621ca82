import type { Block } from '../../data/pages/reports.ts';
import { nameOfBlock } from './block-words.ts';
import { placeAt } from './document.ts';
import { say } from './words.ts';

/** The preview has found this fault, at this place in the template. */
type Fault = { readonly at: string; readonly message: string };

/** Sorts faults by their blocks, and those of a block by its attributes. */
export function faultsByBlock(
  faults: readonly Fault[],
  blocks: readonly Block[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const all = new Map<string, Map<string, string>>();
  for (const { at, message } of faults) {
    const place = placeAt(at, blocks);
    if (place) all.set(place.block._id, (all.get(place.block._id) ?? new Map()).set(place.path, message));
  }
  return all;
}

/** Says each fault with the name of its block, to which a click leads. */
export function faultList(faults: readonly Fault[], blocks: readonly Block[], choose: (id: string) => void) {
  return faults.map(({ at, message }) => {
    const place = placeAt(at, blocks);
    return {
      text: place ? `${say().block(nameOfBlock(place.block))}: ${message}` : message,
      run: place && (() => choose(place.block._id)),
    };
  });
}
