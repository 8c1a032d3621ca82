import { useId, useRef } from 'preact/hooks';
import { type FieldProps, useForm } from './context.ts';
import type { Document } from './draft.ts';
import { Input } from './inputs.tsx';
import { Hint, Problem } from './notes.tsx';

/** Edits several of one kind: values in lines, objects in boxes that open. */
export function ListField({ field, path, value, onChange }: FieldProps) {
  const { words, isReadOnly, show } = useForm();
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  if (field.shape.kind !== 'list') return null;
  const { item, most, word } = field.shape;
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const isPlain = !['object', 'oneOf', 'list', 'secret'].includes(item.shape.kind);
  const put = (next: readonly unknown[]) => {
    if (next.length === 0 && word !== undefined) onChange(field.usual === word ? null : word);
    else onChange(next.length === 0 && field.isNullable && !field.usual ? null : next);
  };
  const add = () => {
    put([...items, item.shape.kind === 'object' ? {} : item.shape.kind === 'list' ? [] : (item.usual ?? null)]);
    // The new one is where the next thing is typed.
    setTimeout(() => list.current?.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus());
  };
  const move = (from: number, to: number) => {
    const next = [...items];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  return (
    <fieldset class="editor-group editor-list">
      <legend>{words.label(field.name)}</legend>
      <Hint text={field.hint} />
      {items.length === 0 && word !== undefined && <p class="soft">{words.choice(field.name, word)}</p>}
      <ol ref={list}>
        {items.map((entry, i) => {
          const entryProps = {
            path: `${path}[${i}]`,
            value: entry,
            onChange: (next: unknown) => put(items.with(i, next)),
          };
          const name = titleOf(entry) || words.item(i + 1);
          const tools = !isReadOnly && (
            <span class="editor-item-tools">
              <button
                type="button"
                class="button is-quiet"
                disabled={i === 0}
                title={words.up}
                onClick={() => move(i, i - 1)}
              >
                <span aria-hidden="true">↑</span>
                <span class="unseen">{`${words.up}: ${name}`}</span>
              </button>
              <button
                type="button"
                class="button is-quiet"
                disabled={i === items.length - 1}
                title={words.down}
                onClick={() => move(i, i + 1)}
              >
                <span aria-hidden="true">↓</span>
                <span class="unseen">{`${words.down}: ${name}`}</span>
              </button>
              <button
                type="button"
                class="button is-quiet"
                title={words.remove(name)}
                onClick={() => put(items.filter((_, n) => n !== i))}
              >
                <span aria-hidden="true">×</span>
                <span class="unseen">{words.remove(name)}</span>
              </button>
            </span>
          );
          return (
            // Items have no names that last: their places are what is edited.
            <li key={i} class={isPlain ? 'editor-line' : 'editor-item'}>
              {isPlain ? (
                <>
                  <Input {...entryProps} field={item} id={`${id}-${i}`} label={`${words.label(field.name)} ${i + 1}`} />
                  {tools}
                  <Problem path={entryProps.path} id={`${id}-${i}-problem`} />
                </>
              ) : (
                <>
                  <div class="editor-item-head">
                    <strong dir="auto">{name}</strong>
                    {tools}
                  </div>
                  {show({ ...entryProps, field: item })}
                </>
              )}
            </li>
          );
        })}
      </ol>
      {!isReadOnly && items.length < most && (
        <button type="button" class="button is-quiet" onClick={add}>
          {words.add(words.label(field.name))}
        </button>
      )}
      <Problem path={path} id={`${id}-problem`} />
    </fieldset>
  );
}

/** Names an item by the first text that names things. */
function titleOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const object = value as Document;
  for (const name of ['name', 'label', 'series', 'seriesId', 'title'])
    if (typeof object[name] === 'string' && object[name] !== '') return object[name];
  return '';
}
