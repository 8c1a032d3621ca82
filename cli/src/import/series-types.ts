import type { SeriesType } from '@catchment/delimited-text';

const TYPES: Readonly<Record<string, SeriesType>> = { NumberPoint: 'NUMBER', TextPoint: 'TEXT', TimePoint: 'TIME' };

/** Returns the type of the records of a class of nodes. */
export const typeOf = (className: string): SeriesType | undefined =>
  TYPES[className.slice(className.lastIndexOf('.') + 1)];

type Child = { readonly _class?: string; readonly name?: string; readonly series?: string };

/** Returns the types of the parameters under a source by their series, or their names. */
export async function typesOf(
  children: AsyncIterable<Child> | Iterable<Child>,
): Promise<ReadonlyMap<string, SeriesType>> {
  const types = new Map<string, SeriesType>();
  for await (const { _class = '', name = '', series } of children) {
    const type = typeOf(_class);
    if (type) types.set(series || name, type);
  }
  return types;
}
