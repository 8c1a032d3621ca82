import type { ComponentChildren } from 'preact';
import type { Asked } from '../../data/requests/use-asked.ts';
import { Busy, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';

/** Shows an answer once it is there; the one before stays while it is asked for again. */
export function Read<T>({
  asked,
  children,
}: {
  readonly asked: Asked<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { ui } = words.value;
  return (
    <>
      {asked.error !== undefined && <Problem text={errorText(asked.error)} again={asked.again} againText={ui.again} />}
      {asked.value !== undefined && children(asked.value)}
      {asked.value === undefined && asked.isLoading && <Busy text={ui.loading} />}
    </>
  );
}
