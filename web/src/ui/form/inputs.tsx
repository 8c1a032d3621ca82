import { useState } from 'preact/hooks';
import { type FieldProps, useForm } from './context.ts';
import { longTime, numberOf, unitOf } from './numbers.ts';

/** Shows the field alone, for lists of values too. */
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
    case 'colour':
      return <ColourInput {...props} common={common} choices={shape.choices} />;
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
              placeholder: field.example === undefined ? undefined : String(field.example),
              ...(shape.choices.length > 0 && { list: `${id}-choices` }),
            }}
            value={typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)}
            onText={(text) => onChange(text === '' ? empty : text)}
          />
          <TooLong value={value} most={field.maxLength} />
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

/** Pasted text is not cut: it stays to be shortened. */
function TooLong({ value, most }: { readonly value: unknown; readonly most: number | undefined }) {
  const { words } = useForm();
  const count = typeof value === 'string' ? [...value].length : 0;
  if (most === undefined || count <= most) return null;
  return (
    <span class="editor-problem" role="status">
      {words.tooLong(most, count)}
    </span>
  );
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

/** The colour is white where none is chosen: a browser shows black, which is one. */
const NO_COLOUR = '#ffffff';

/** Takes a colour as it is written, and the browser's own way to choose one. */
function ColourInput(props: FieldProps & { readonly common: Common; readonly choices: readonly string[] }) {
  const { field, value, onChange, common, choices } = props;
  const { words, isReadOnly } = useForm();
  const text = typeof value === 'string' ? value : '';
  const usual = typeof field.usual === 'string' ? words.usual(words.choice(field.name, field.usual)) : '#1f77b4';
  const list = `${common.id}-choices`;
  return (
    <span class="editor-colour">
      <input
        {...common}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder={usual}
        list={choices.length > 0 ? list : undefined}
        onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      />
      <input
        type="color"
        disabled={isReadOnly}
        aria-label={words.chooseColour(words.label(field.name))}
        value={/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : NO_COLOUR}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {choices.length > 0 && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </span>
  );
}

/** Shows a text that stands for a value: it stays as it was typed for as long as it means the value. */
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
