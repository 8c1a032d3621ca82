import { useMemo } from 'preact/hooks';
import { type Profile, type ProfileChange, readProfile, saveProfile } from '../../data/people/me.ts';
import { attributeOf } from '../../data/requests/failures.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { start } from '../../data/session/session.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { times } from '../../data/times.ts';
import { formWords } from '../../parts/words-of.ts';
import { type Document, type Field, type FieldProps, Form, type Saved, useForm } from '../../ui/form/index.ts';
import { Busy, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { chooseLanguage, LANGUAGES, type Language, language, words } from '../../words/index.ts';
import { say } from './words.ts';

const documentOf = ({ name, contact, timezone, timezoneAdjustForDst, timeFormat }: Profile): Document => ({
  first: name.first,
  last: name.last,
  phone: contact.phone ?? null,
  timezone,
  timezoneAdjustForDst,
  timeFormat,
});

/** Returns the changes of the form as the API has them: the name is one attribute. */
function changeOf({ first, last, phone, ...others }: Document): ProfileChange {
  const name = { ...(first !== undefined && { first: first ?? '' }), ...(last !== undefined && { last: last ?? '' }) };
  return {
    ...(Object.keys(name).length > 0 && { name }),
    ...(phone !== undefined && { phone: phone === null ? null : String(phone).replaceAll(/[\s()/-]/g, '') || null }),
    ...others,
  } as ProfileChange;
}

async function save(changes: Document): Promise<Saved> {
  try {
    const document = documentOf(await saveProfile(changeOf(changes)));
    toast(say().saved);
    return { kind: 'saved', document, revision: JSON.stringify(document) };
  } catch (error) {
    const path = attributeOf(error)?.replace(/^name\./, '');
    return { kind: 'refused', message: errorText(error), ...(path !== undefined && { path }) };
  }
}

const TEXT: Field['shape'] = { kind: 'text', isLong: false, choices: [] };
/** Labels are the words of this page. */
const fieldOf = (name: string, maxLength?: number, shape: Field['shape'] = TEXT): Field => ({
  name,
  shape,
  hint: '',
  isRequired: false,
  isNullable: true,
  usual: undefined,
  example: undefined,
  maxLength,
});

/** Edits name, phone, and how times are shown: of all accounts of the person. */
export function ProfileForm() {
  const text = say();
  const { ui } = words.value;
  const asked = useAsked(readProfile, []);
  const document = useMemo(() => asked.value && documentOf(asked.value), [asked.value]);
  if (!asked.value || !document)
    return asked.error === undefined ? (
      <Busy text={ui.loading} />
    ) : (
      <Problem text={errorText(asked.error)} again={asked.again} againText={ui.again} />
    );
  const { labels } = text;
  return (
    <div class="settings">
      <p class="soft">{text.profileText(asked.value.contact.email)}</p>
      <Form
        storageKey={`profile ${start().person.id}`}
        document={document}
        revision={JSON.stringify(document)}
        groups={[
          {
            title: text.groups.person,
            fields: [fieldOf('first', 60), fieldOf('last', 60), fieldOf('phone')],
          },
          {
            title: text.groups.times,
            fields: [
              fieldOf('timezone'),
              fieldOf('timezoneAdjustForDst', undefined, { kind: 'boolean' }),
              fieldOf('timeFormat', 60),
            ],
          },
        ]}
        words={{
          ...formWords(),
          label: (name) => (Object.hasOwn(labels, name) ? labels[name as keyof typeof labels] : name),
        }}
        isReadOnly={false}
        isShown={() => true}
        special={(props) => special(props)}
        save={(changes) => save(changes)}
      />
      <section class="editor-section" aria-labelledby="language">
        <h2 id="language">{text.language}</h2>
        <p class="soft">{text.languageText}</p>
        <select
          class="field"
          aria-label={text.language}
          value={language.value}
          onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([key, label]) => (
            <option key={key} value={key} lang={key}>
              {label}
            </option>
          ))}
        </select>
      </section>
    </div>
  );
}

const FORMATS = [
  'YYYY-MM-DD HH:mm:ss',
  'DD.MM.YYYY HH:mm:ss',
  'DD/MM/YYYY HH:mm:ss',
  'MM/DD/YYYY hh:mm:ss A',
  'D MMM YYYY HH:mm',
] as const;

const special = (props: FieldProps) =>
  props.field.name === 'timezone' || props.field.name === 'timeFormat' ? <Proposed {...props} /> : undefined;

/** Zones are chosen among those that the browser knows; formats may be typed. */
function Proposed({ field, path, value, onChange }: FieldProps) {
  const text = say();
  const { problemOf } = useForm();
  const name = field.name as 'timezone' | 'timeFormat';
  const problem = problemOf(path);
  const id = `own-${name}`;
  const choices = name === 'timezone' ? zones() : FORMATS;
  return (
    <div class="editor-field">
      <label for={id}>{text.labels[name]}</label>
      <input
        id={id}
        list={`${id}-list`}
        aria-invalid={problem !== undefined}
        spellcheck={false}
        autocomplete="off"
        value={String(value ?? '')}
        onInput={(event) => onChange(event.currentTarget.value || null)}
      />
      <datalist id={`${id}-list`}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <span class="editor-hint">
        {name === 'timezone' ? text.zoneHint : text.formatHint(times().whole(nowMs.value))}
      </span>
      {problem !== undefined && <p class="editor-problem">{problem}</p>}
    </div>
  );
}

function zones(): readonly string[] {
  try {
    return ['Etc/UTC', ...Intl.supportedValuesOf('timeZone')];
  } catch {
    return ['Etc/UTC'];
  }
}
