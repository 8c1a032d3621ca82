import { invalid } from '@catchment/errors';
import type { Join } from '../records/layout.ts';

export type TimeColumns = { readonly index: number; readonly joins: readonly Join[] };

/** The time may begin with its day, its month or its year. */
export interface Ambiguity {
  /** The first column is 0. */
  readonly column: number;
  /** The first of its texts. */
  readonly text: string;
  /** There are two or three formats; the first has the day first. */
  readonly formats: readonly string[];
  /** The first one is taken, and the other one is reported. */
  readonly isUnlikely?: boolean;
}
export type Ambiguous = (found: Ambiguity) => void;

/** The time was found; `open`: its day, month and year may have another order. */
export interface FoundTime {
  readonly time: TimeColumns;
  readonly open?: Ambiguity | undefined;
}

/** @throws DomainError invalid_argument */
export function refuseAmbiguous({ column, text, formats, isUnlikely }: Ambiguity): void {
  if (isUnlikely) return;
  throw invalid(
    'AMBIGUOUS_TIME',
    `column ${column + 1}: '${text.slice(0, 40)}' may begin with ${startsOf(formats)}; give the time format: ${formats.join(' or ')}`,
  );
}

/** `its day or its month` */
export function startsOf(formats: readonly string[]): string {
  const starts = formats.map((format) => STARTS[/D|M|Y/.exec(format.replace(/\[[^\]]*\]/g, ''))?.[0] ?? 'D']);
  return `${starts.slice(0, -1).join(', ')} or ${starts.at(-1)}`;
}
const STARTS: Readonly<Record<string, string>> = { D: 'its day', M: 'its month', Y: 'its year' };
