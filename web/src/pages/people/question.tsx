import { Question as AnyQuestion, type QuestionProps } from '../../parts/question.tsx';
import { problemText } from './problem-text.ts';

/** @param gone the answer where the thing is not there any more */
export const Question = ({ gone, ...rest }: QuestionProps & { readonly gone?: string }) => (
  <AnyQuestion {...rest} problemText={(error) => problemText(error, gone)} />
);

/** Shows the first of many, and how many more there are. */
export function Some({ items, more }: { readonly items: readonly string[]; readonly more: (count: number) => string }) {
  const MOST = 8;
  const left = items.length - MOST;
  return (
    <ul class="bullets">
      {items.slice(0, left > 0 ? MOST - 1 : MOST).map((item) => (
        <li key={item} dir="auto">
          {item}
        </li>
      ))}
      {left > 0 && <li>{more(left + 1)}</li>}
    </ul>
  );
}
