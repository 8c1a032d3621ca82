import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { Document } from './draft.ts';
import { ListField } from './list-field.tsx';
import { longTime, numberOf, unitOf } from './numbers.ts';
import { type Field, HIDDEN } from './schema.ts';
import type { FormWords } from './words.ts';

export type FormParts = {
  readonly words: FormWords;
  /** A problem of the attribute at a path such as `states[2].threshold`, as the server tells it. */
  readonly problemOf: (path: string) => string | undefined;
  /** Whether an attribute means something beside the others of its object. */
  readonly isShown: (path: string, siblings: Document) => boolean;
  /** A field of the page's own, for example a search of nodes; undefined: the usual one. */
  readonly special: (props: FieldProps) => ComponentChildren | undefined;
  readonly isReadOnly: boolean;
};

export const FormContext = createContext<FormParts | undefined>(undefined);
export const useForm = (): FormParts => useContext(FormContext)!;

export type FieldProps = {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
};

/** A field of whatever kind its schema says. */
export function FieldView(props: FieldProps) {
  const { special } = useForm();
  const own = special(props);
  if (own !== undefined) return <>{own}</>;
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
  const own = (value ?? {}) as Document;
  const [only] = fields;
  if (fields.length === 1 && only?.shape.kind === 'object' && field.name !== '')
    return (
      <ObjectField
        field={{ ...only, name: field.name, hint: field.hint || only.hint }}
        path={`${path}.${only.name}`}
        value={own[only.name]}
        onChange={(next) => onChange({ ...own, [only.name]: next })}
        fields={only.shape.fields}
      />
    );
  return (
    <fieldset class="editor-group">
      {field.name !== '' && <legend>{words.label(field.name)}</legend>}
      <Hint text={field.hint} />
      <Fields
        fields={fields.filter((one) => isShown(join(path, one.name), own))}
        path={path}
        value={own}
        onChange={(name, next) => onChange({ ...own, [name]: next })}
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

export function Fields({ fields, path, value, onChange }: FieldsProps) {
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

export const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** One of several classes, and the attributes of the one that is chosen. What the next one has too, is kept. */
function OneOfField({ field, path, value, onChange }: FieldProps) {
  const { words, isShown, isReadOnly } = useForm();
  const id = useId();
  if (field.shape.kind !== 'oneOf') return null;
  const own = (value ?? {}) as Document;
  const { options } = field.shape;
  const option = options.find(({ name }) => name === own._class);
  const choose = (name: string) => {
    const next = options.find((one) => one.name === name);
    if (!next) return onChange(null);
    const kept = next.fields.filter((one) => own[one.name] !== undefined).map((one) => [one.name, own[one.name]]);
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
            <option key={name} value={name} selected={name === own._class}>
              {words.choice('_class', name)}
            </option>
          ))}
        </select>
        <Problem path={path} id={`${id}-problem`} />
      </div>
      {option && (
        <Fields
          fields={option.fields.filter((one) => isShown(join(path, one.name), own))}
          path={path}
          value={own}
          onChange={(name, next) => onChange({ ...own, [name]: next })}
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

/** The field alone, for lists of values too. */
export function Input(props: FieldProps & { readonly id: string; readonly label?: string }) {
  const { words, isReadOnly, problemOf } = useForm();
  const { field, path, value, onChange, id, label } = props;
  const { shape } = field;
  const common = {
    id,
    disabled: isReadOnly,
    'aria-label': label,
    'aria-describedby': `${field.hint ? `${id}-hint ` : ''}${id}-problem`,
    'aria-invalid': problemOf(path) !== undefined,
  };
  const empty = field.isNullable && typeof field.usual !== 'string' ? null : '';
  switch (shape.kind) {
    case 'choice': {
      const usual = field.usual === undefined || field.usual === null ? '' : String(field.usual);
      return (
        <select
          {...common}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onChange(text === '' ? null : (shape.choices.find((choice) => String(choice) === text) ?? text));
          }}
        >
          {(field.isNullable || value === undefined || value === null) && (
            <option value="" selected={value === undefined || value === null}>
              {usual === '' ? words.none : words.usual(words.choice(field.name, field.usual as string))}
            </option>
          )}
          {shape.choices.map((choice) => (
            <option key={choice} value={String(choice)} selected={value === choice}>
              {words.choice(field.name, choice)}
            </option>
          ))}
        </select>
      );
    }
    case 'number':
      return <NumberInput {...props} common={common} />;
    case 'scalar':
      return (
        <Typed
          common={common}
          value={value}
          read={(text) => (text === '' ? null : (numberOf(text) ?? text))}
          onChange={onChange}
        />
      );
    case 'json':
      return <Typed common={common} value={value} isJson read={readJson} onChange={onChange} problem={words.notJson} />;
    case 'text':
      return (
        <>
          <TextInput
            isLong={shape.isLong}
            common={{
              ...common,
              maxLength: field.maxLength,
              placeholder: field.example === undefined ? undefined : String(field.example),
              ...(shape.choices.length > 0 && { list: `${id}-choices` }),
            }}
            value={typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)}
            onText={(text) => onChange(text === '' ? empty : text)}
          />
          {shape.choices.length > 0 && (
            <datalist id={`${id}-choices`}>
              {shape.choices.map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
          )}
        </>
      );
    default:
      return (
        <TextInput
          isLong={false}
          common={{ ...common, placeholder: '2026-01-31T12:00:00Z' }}
          value={value === null || value === undefined ? '' : String(value)}
          onText={(text) => onChange(text === '' ? null : text)}
        />
      );
  }
}

type Common = Readonly<Record<string, unknown>>;

function TextInput(props: {
  readonly isLong: boolean;
  readonly common: Common;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const { isLong, common, value, onText } = props;
  if (isLong)
    return (
      <textarea
        {...common}
        dir="auto"
        rows={Math.min(Math.max(value.split('\n').length + 1, 3), 16)}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    );
  return (
    <input
      {...common}
      type="text"
      dir="auto"
      autocomplete="off"
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}

function NumberInput({ field, value, onChange, common }: FieldProps & { readonly common: Common }) {
  const { words } = useForm();
  const unit = unitOf(field.name);
  const long = unit === 's' && typeof value === 'number' ? longTime(value) : '';
  const usual = typeof field.usual === 'number' ? String(field.usual) : undefined;
  return (
    <span class="editor-number">
      <Typed
        common={{ ...common, inputMode: 'decimal', placeholder: usual }}
        value={value}
        read={(text) => (text.trim() === '' ? null : (numberOf(text) ?? text))}
        onChange={onChange}
        problem={typeof value === 'string' ? words.notNumber : undefined}
      />
      {unit !== '' && <span class="editor-unit">{long === '' ? unit : `${unit} = ${long}`}</span>}
    </span>
  );
}

/** A text that stands for a value: it stays as it was typed for as long as it means the value. */
function Typed(props: {
  readonly common: Common;
  readonly value: unknown;
  readonly isJson?: boolean;
  readonly read: (text: string) => unknown;
  readonly onChange: (value: unknown) => void;
  readonly problem?: string | undefined;
}) {
  const { common, value, isJson = false, read, onChange } = props;
  const [typed, setTyped] = useState<string | undefined>();
  const written = value === null || value === undefined ? '' : isJson ? JSON.stringify(value, null, 2) : String(value);
  const text = typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(value ?? null) ? typed : written;
  const isWrong = isJson ? typeof value === 'string' : typeof value === 'string' && props.problem !== undefined;
  const onInput = (next: string) => {
    setTyped(next);
    onChange(read(next));
  };
  return (
    <>
      {isJson ? (
        <textarea
          {...common}
          class="editor-code"
          spellcheck={false}
          rows={Math.min(Math.max(text.split('\n').length, 3), 16)}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          type="text"
          autocomplete="off"
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {isWrong && <span class="editor-problem">{props.problem}</span>}
    </>
  );
}

function readJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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
