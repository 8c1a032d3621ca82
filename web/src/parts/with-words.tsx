import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Busy, Problem } from '../ui/notes.tsx';
import { errorText } from '../words/error-text.ts';
import { language, words } from '../words/index.ts';

type WithWordsProps = {
  readonly hasWords: () => boolean;
  readonly loadWords: () => Promise<unknown>;
  readonly children: () => ComponentChildren;
};

/** Shows a page whose words come with it: it is shown once they are here, and they come anew with another language. */
export function WithWords({ hasWords, loadWords, children }: WithWordsProps) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    loadWords().then(() => setFailure(undefined), setFailure);
  }, [language.value, attempt]);
  if (hasWords()) return <>{children()}</>;
  return (
    <section class="page">
      {failure === undefined ? (
        <Busy text={ui.loading} />
      ) : (
        <Problem text={errorText(failure)} again={() => setAttempt((n) => n + 1)} againText={ui.again} />
      )}
    </section>
  );
}
