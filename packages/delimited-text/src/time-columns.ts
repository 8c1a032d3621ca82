import { invalid } from '@catchment/errors';
import type { Join } from './layout.ts';

export type TimeColumns = { readonly index: number; readonly joins: readonly Join[] };

/** A time that may begin with its day or its month. */
export interface Ambiguity {
  /** From 0. */
  readonly column: number;
  /** The first of its texts. */
  readonly text: string;
  /** The two formats; the first one is with the day first. */
  readonly formats: readonly [string, string];
}
export type Ambiguous = (found: Ambiguity) => void;

/** What was found; `open`: it may begin with its day or its month. */
export interface FoundTime {
  readonly time: TimeColumns;
  readonly open?: Ambiguity | undefined;
}

/** @throws DomainError invalid_argument */
export function refuseAmbiguous({ column, text, formats }: Ambiguity): never {
  throw invalid(
    'AMBIGUOUS_TIME',
    `column ${column + 1}: '${text.slice(0, 40)}' may begin with its day or its month; give the time format: ${formats.join(' or ')}`,
  );
}
