import { dashOf } from './dashes.ts';

type SwatchProps = { readonly isColumn: boolean; readonly color: string; readonly round: number };

/** Shows the line of a series with its dashes, or the square of its columns. */
export function Swatch({ isColumn, color, round }: SwatchProps) {
  if (isColumn) return <span class="swatch is-column" style={{ '--color': color }} />;
  return (
    <svg class="swatch" viewBox="0 0 22 4" aria-hidden="true" focusable="false" style={{ '--color': color }}>
      <path d="M0 2H22" stroke-dasharray={dashOf(round, 1.75).join(' ')} />
    </svg>
  );
}
