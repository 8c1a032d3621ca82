import { useForm } from './context.ts';

/** As the API's description says it, which is in English. */
export function Hint({ text, id }: { readonly text: string; readonly id?: string }) {
  // What a generated text says of itself tells people nothing.
  if (text === '' || /, as bodies give it\.$/.test(text)) return null;
  return (
    <p class="editor-hint" id={id} lang="en">
      {text}
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
