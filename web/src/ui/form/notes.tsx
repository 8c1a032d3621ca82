import { useForm } from './context.ts';

/** Shows what the API's description says, which is in English where the words do not have it. */
export function Hint({ text, id }: { readonly text: string; readonly id?: string }) {
  const { words } = useForm();
  // The words that a generated text has about itself do not help people.
  if (text === '' || /, as bodies give it\.$/.test(text)) return null;
  return (
    <p class="editor-hint" id={id} lang={words.hints[text] === undefined ? 'en' : undefined}>
      {words.hints[text] ?? text}
    </p>
  );
}

export function Problem({ path, id }: { readonly path: string; readonly id?: string }) {
  const { problemOf } = useForm();
  const problem = problemOf(path);
  return (
    <p class="editor-problem" id={id} role={problem ? 'alert' : undefined}>
      {problem}
    </p>
  );
}
