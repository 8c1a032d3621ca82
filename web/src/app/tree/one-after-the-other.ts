import { errorText } from '../../words/error-text.ts';
import type { NodeRow } from './rows.ts';

export type Outcome = {
  readonly done: readonly NodeRow[];
  readonly refused: readonly { readonly row: NodeRow; readonly text: string }[];
};

/** Does something with each of some nodes. One that is refused does not keep the others; where all are, the first refusal is thrown. */
export async function oneAfterTheOther(
  rows: readonly NodeRow[],
  act: (row: NodeRow) => Promise<unknown>,
  progress: (part: number) => void,
): Promise<Outcome> {
  const done: NodeRow[] = [];
  const refused: { row: NodeRow; text: string }[] = [];
  let first: unknown;
  for (const [i, row] of rows.entries()) {
    try {
      await act(row);
      done.push(row);
    } catch (error) {
      first ??= error;
      refused.push({ row, text: errorText(error) });
    }
    progress((i + 1) / rows.length);
  }
  if (done.length === 0) throw first;
  return { done, refused };
}
