import { useId } from 'preact/hooks';
import { change, draft, secrets } from './draft.ts';
import { registersOf, type WayField, wayOf } from './ways.ts';
import { say } from './words.ts';

/** Asks what the source must know to get its data. */
export function ConnectionStep() {
  const text = say();
  const way = wayOf(draft().way);
  const hasSecrets = way?.fields.some(({ kind }) => kind === 'secret');
  return (
    <div class="form station-form">
      {way?.fields.map((field) => (
        <Field key={`${way.key} ${field.name}`} field={field} />
      ))}
      {hasSecrets && <p class="hint">{text.secretsLost}</p>}
    </div>
  );
}

function Field({ field: { name, kind, usual = '', choices = [], isNeeded } }: { readonly field: WayField }) {
  const text = say();
  const id = useId();
  const d = draft();
  const value = (kind === 'secret' ? secrets.value[name] : d.settings[name]) ?? '';
  const set = (next: string) => {
    if (kind === 'secret') secrets.value = { ...secrets.value, [name]: next };
    else change({ settings: { ...draft().settings, [name]: next } });
  };
  // A password of a fetched source is not typed into a logger.
  const hint = name === 'password' && wayOf(d.way)?.group === 'fetched' ? undefined : text.hints[name];
  const wrong = kind === 'registers' && value !== '' ? registersOf(value) : undefined;
  const shared = {
    id,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    required: isNeeded,
    autocomplete: kind === 'secret' ? 'new-password' : 'off',
    spellcheck: false,
  } as const;
  const typed = { ...shared, value, placeholder: usual };
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) => set(event.currentTarget.value);
  return (
    <div>
      <label for={id} class="station-label">
        {text.fields[name] ?? name}
      </label>
      {kind === 'choice' ? (
        <select {...shared} value={value || usual} onChange={onInput}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {text.choices[choice] ?? choice}
            </option>
          ))}
        </select>
      ) : kind === 'area' || kind === 'registers' ? (
        <textarea {...shared} rows={6} class="station-code" value={value} onInput={onInput} />
      ) : kind === 'secret' ? (
        <input {...typed} type="password" onInput={onInput} />
      ) : (
        <input {...typed} inputMode={kind === 'number' ? 'numeric' : 'text'} onInput={onInput} />
      )}
      {typeof wrong === 'number' && (
        <p class="problem" role="alert">
          {text.registersWrong(wrong)}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
