import { useEffect, useState } from 'preact/hooks';
import { language } from '../../words/index.ts';
import { pageWords } from '../../words/page-words.ts';

const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../words/en/files.ts').then(({ files }) => files),
  de: () => import('../../words/de/files.ts').then(({ files }) => files),
});

export { say };

/** Waits for the words of files in the language that is shown. */
export function useFileWords(): { readonly isHere: boolean; readonly hasFailed: boolean; readonly again: () => void } {
  const [hasFailed, setFailed] = useState(false);
  const wanted = language.value;
  useEffect(() => {
    if (!hasFailed) loadWords().catch(() => setFailed(true));
  }, [wanted, hasFailed]);
  return { isHere: hasWords(), hasFailed, again: () => setFailed(false) };
}
