import { Button } from '../../ui/button.tsx';
import type { Window } from './rows.ts';
import { say } from './words.ts';

type PagerProps = {
  /** The search field's name. */
  readonly label: string;
  readonly shown: Window;
  readonly total: number;
  readonly sought: string;
  readonly onSeek: (words: string) => void;
  /** @param index of the first of another part */
  readonly onGo: (index: number) => void;
};

/** Shows which part of many is shown, what leads to the others, and words that leave fewer. */
export function Pager({ label, shown: { from, to }, total, sought, onSeek, onGo }: PagerProps) {
  const text = say();
  const size = Math.max(to - from, 1);
  return (
    <p class="person-own">
      <input
        type="search"
        class="field"
        aria-label={label}
        placeholder={label}
        value={sought}
        onInput={(event) => onSeek(event.currentTarget.value)}
      />
      <Button
        icon="left"
        aria-label={`${label}: ${text.before}`}
        disabled={from === 0}
        onClick={() => onGo(Math.max(from - size, 0))}
      />
      <span role="status">{total === 0 ? text.noneFound : text.part(from + 1, to, total)}</span>
      <Button icon="right" aria-label={`${label}: ${text.after}`} disabled={to >= total} onClick={() => onGo(to)} />
    </p>
  );
}
