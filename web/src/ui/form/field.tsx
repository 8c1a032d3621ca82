import { useId, useState } from 'preact/hooks';
import { type FieldProps, useForm } from './context.ts';
import type { Document } from './draft.ts';
import { Input } from './inputs.tsx';
import { ListField } from './list-field.tsx';
import { Hint, Problem } from './notes.tsx';
import { type Field, HIDDEN } from './schema.ts';

/** A field of whatever kind its schema says. */
export function FieldView(props: FieldProps) {
  const { special } = useForm();
  const specialField = special(props);
  if (specialField !== undefined) return <>{specialField}</>;
  const { shape } = props.field;
  switch (shape.kind) {
    case 'object':
      return <ObjectField {...props} fields={shape.fields} />;
    case 'oneOf':
      return <OneOfField {...props} />;
    case 'list':
      return <ListField {...props} />;
    case 'boolean':
      return <Switch {...props} />;
    case 'secret':
      return <Secret {...props} />;
    default:
      return <Labelled {...props} />;
  }
}

/** A group of attributes. Where an object has one attribute that is an object, that one stands for it. */
function ObjectField({ field, path, value, onChange, fields }: FieldProps & { readonly fields: readonly Field[] }) {
  const { words, isShown } = useForm();
  const object = (value ?? {}) as Document;
  const [only] = fields;
  if (fields.length === 1 && only?.shape.kind === 'object' && field.name !== '')
    return (
      <ObjectField
        field={{ ...only, name: field.name, hint: field.hint || only.hint }}
        path={`${path}.${only.name}`}
        value={object[only.name]}
        onChange={(next) => onChange({ ...object, [only.name]: next })}
        fields={only.shape.fields}
      />
    );
  return (
    <fieldset class="editor-group">
      {field.name !== '' && <legend>{words.label(field.name)}</legend>}
      <Hint text={field.hint} />
      <Fields
        fields={fields.filter((field) => isShown(join(path, field.name), object))}
        path={path}
        value={object}
        onChange={(name, next) => onChange({ ...object, [name]: next })}
      />
    </fieldset>
  );
}

type FieldsProps = {
  readonly fields: readonly Field[];
  readonly path: string;
  readonly value: Document;
  readonly onChange: (name: string, value: unknown) => void;
};

function Fields({ fields, path, value, onChange }: FieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <FieldView
          key={field.name}
          field={field}
          path={join(path, field.name)}
          value={value[field.name]}
          onChange={(next) => onChange(field.name, next)}
        />
      ))}
    </>
  );
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Offers several classes, and the attributes of the chosen one. Attributes that the next class has too are kept. */
function OneOfField({ field, path, value, onChange }: FieldProps) {
  const { words, isShown, isReadOnly } = useForm();
  const id = useId();
  if (field.shape.kind !== 'oneOf') return null;
  const object = (value ?? {}) as Document;
  const { options } = field.shape;
  const option = options.find(({ name }) => name === object._class);
  const choose = (name: string) => {
    const next = options.find((option) => option.name === name);
    if (!next) return onChange(null);
    const kept = next.fields
      .filter((field) => object[field.name] !== undefined)
      .map((field) => [field.name, object[field.name]]);
    onChange({ _class: name, ...Object.fromEntries(kept) });
  };
  return (
    <fieldset class="editor-group">
      <legend>{words.label(field.name)}</legend>
      <Hint text={field.hint} />
      <div class="editor-field">
        <label for={id}>{words.kind}</label>
        <select id={id} disabled={isReadOnly} onChange={(event) => choose(event.currentTarget.value)}>
          {field.isNullable && (
            <option value="" selected={option === undefined}>
              {words.none}
            </option>
          )}
          {options.map(({ name }) => (
            <option key={name} value={name} selected={name === object._class}>
              {words.choice('_class', name)}
            </option>
          ))}
        </select>
        <Problem path={path} id={`${id}-problem`} />
      </div>
      {option && (
        <Fields
          fields={option.fields.filter((field) => isShown(join(path, field.name), object))}
          path={path}
          value={object}
          onChange={(name, next) => onChange({ ...object, [name]: next })}
        />
      )}
    </fieldset>
  );
}

function Labelled(props: FieldProps) {
  const { words } = useForm();
  const { field, path } = props;
  const id = useId();
  return (
    <div class="editor-field">
      <label for={id}>
        {words.label(field.name)}
        {field.isRequired && (
          <span class="editor-required" title={words.required}>
            *
          </span>
        )}
      </label>
      <Input {...props} id={id} />
      <Hint text={field.hint} id={`${id}-hint`} />
      <Problem path={path} id={`${id}-problem`} />
    </div>
  );
}

function Switch({ field, path, value, onChange }: FieldProps) {
  const { words, isReadOnly } = useForm();
  const id = useId();
  return (
    <div class="editor-field is-switch">
      <input
        id={id}
        type="checkbox"
        disabled={isReadOnly}
        checked={(value ?? field.usual) === true}
        aria-describedby={`${field.hint ? `${id}-hint ` : ''}${id}-problem`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{words.label(field.name)}</label>
      <Hint text={field.hint} id={`${id}-hint`} />
      <Problem path={path} id={`${id}-problem`} />
    </div>
  );
}

/** A secret is written and never read: what is set stays unless it is replaced. */
function Secret({ field, path, value, onChange }: FieldProps) {
  const { words, isReadOnly } = useForm();
  const id = useId();
  const [was] = useState(value);
  const isSet = value === HIDDEN;
  return (
    <div class="editor-field">
      <label for={id}>{words.label(field.name)}</label>
      <div class="editor-secret">
        <input
          id={id}
          type="password"
          autocomplete="new-password"
          disabled={isReadOnly || isSet}
          placeholder={isSet ? words.secretSet : words.secretNone}
          value={isSet || typeof value !== 'string' ? '' : value}
          aria-describedby={`${id}-problem`}
          onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        />
        {!isReadOnly && isSet && (
          <button type="button" class="button is-quiet" onClick={() => onChange(null)}>
            {words.secretReplace}
          </button>
        )}
        {!isReadOnly && !isSet && was === HIDDEN && (
          <button type="button" class="button is-quiet" onClick={() => onChange(HIDDEN)}>
            {words.secretKeep}
          </button>
        )}
      </div>
      <Hint text={field.hint} id={`${id}-hint`} />
      <Problem path={path} id={`${id}-problem`} />
    </div>
  );
}
