import type { Failure } from '@catchment/delimited-text';
import { printable } from '@catchment/ids';

/** The line, or a field of it, was not read. */
export type RefusedLine = {
  readonly line: number;
  /** The first column is 1; null means the whole line. */
  readonly column: number | null;
  readonly reason: string;
  /** At most 200 characters. */
  readonly text: string;
};
export type RefusedLines = {
  /** Refusals that are not listed count too. */
  readonly count: number;
  /** First refusals in file order. */
  readonly lines: readonly RefusedLine[];
};

const REFUSED_LINES_MAX = 100;
const TEXT_CHARACTERS = 200;

/** Gathers what is refused of a text while it is read. */
export class RefusedLineList {
  readonly #lines: RefusedLine[] = [];
  #count = 0;

  add({ line, column, reason }: Failure, text: () => string): void {
    this.#count += 1;
    if (this.#lines.length < REFUSED_LINES_MAX)
      this.#lines.push({ line, column: column ?? null, reason, text: shown(text()) });
  }

  /** undefined: nothing is refused. */
  get found(): RefusedLines | undefined {
    return this.#count === 0 ? undefined : { count: this.#count, lines: this.#lines };
  }
}

/** A tab parts fields, and is no sign that can be printed. */
const shown = (text: string): string => printable(cut(text).replaceAll('\t', '→'));
const cut = (text: string): string => (text.length > TEXT_CHARACTERS ? `${text.slice(0, TEXT_CHARACTERS - 1)}…` : text);
