import type { Sample } from '../../columns/index.ts';

/** Hands a record on; false = enough. */
type Keep = (sample: Sample) => boolean;

/**
 * CHANGE (docs/reference/aggregates.md#definitions) keeps records whose value differs from that of the record before, and the first one.
 * Newest first, a record has to wait for the one before it.
 */
export function changes(
  order: 'ascending' | 'descending',
  keep: Keep,
): { push(sample: Sample): boolean; finish(): void } {
  let neighbour: Sample | undefined;
  if (order === 'ascending') {
    return {
      push: (sample) => {
        const isKept = !neighbour || differ(sample, neighbour);
        neighbour = { ...sample };
        return isKept ? keep(sample) : true;
      },
      finish: () => {},
    };
  }
  return {
    push: (sample) => {
      const goesOn = neighbour && differ(sample, neighbour) ? keep(neighbour) : true;
      neighbour = { ...sample };
      return goesOn;
    },
    finish: () => {
      if (neighbour) keep(neighbour);
    },
  };
}

const differ = (a: Sample, b: Sample): boolean => a.value !== b.value || a.longitude !== b.longitude;
