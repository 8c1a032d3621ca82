import { useLayoutEffect, useRef } from 'preact/hooks';
import { times } from '../../../../data/times.ts';
import { Button } from '../../../../ui/button.tsx';
import { errorText } from '../../../../words/error-text.ts';
import type { Result } from '../saving.ts';
import { say } from '../words.ts';

/** At most this many times are named. */
const MOST_TIMES = 5;

/** Says what was written, and what was not. */
export function Outcome({ result, onClose }: { readonly result: Result; readonly onClose: () => void }) {
  const text = say();
  const { whole } = times();
  const { written, refused, missing, after } = result;
  const button = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => button.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <p role="status">
        <strong>{text.written(written)}</strong>
      </p>
      {refused.length > 0 && (
        <section role="alert" class="mend-refused">
          <h3>{text.refusedParts}</h3>
          <ul>
            {refused.map(({ startMs, endMs, count, error }) => (
              <li key={startMs}>
                {text.refusedPart(whole(startMs), whole(endMs), count)}
                <strong>{error === undefined ? text.notSent : errorText(error)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      {missing.length > 0 && (
        <p role="alert">
          {text.missing(missing.length)} {missing.slice(0, MOST_TIMES).map(whole).join(', ')}
          {missing.length > MOST_TIMES && ' …'}
        </p>
      )}
      {(refused.length > 0 || missing.length > 0) && <p>{text.kept}</p>}
      {!after && <p role="alert">{text.notReadable}</p>}
      <p ref={button} class="buttons">
        <Button look="main" onClick={onClose}>
          {text.done}
        </Button>
      </p>
    </>
  );
}
