import { useState } from 'preact/hooks';
import {
  QUALITY_TYPES,
  type QualityEntry,
  type QualityRules,
  type QualitySettings,
  readSettings,
  saveEntry,
  saveRules,
} from '../../data/account/quality-settings.ts';
import type { QualityType } from '../../data/records/quality.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { Conflicts } from '../../parts/conflicts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type Draft, useDraft } from '../../parts/typed-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { overTheirs } from '../../ui/form/index.ts';
import { Field } from '../../ui/labelled-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Ask } from './ask.tsx';
import { entryOf, NEW_ENTRY, type TypedEntry, typedOf } from './code-text.ts';
import { hardToSeeOn } from './contrast.ts';
import { Read } from './read.tsx';
import { useAccountNews } from './use-account-news.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

/** The text has the entry as it was when somebody began. */
type Typed = TypedEntry & { readonly base: QualityEntry | null };

/** The meaning of codes of records, and how they count. */
export function QualityPart() {
  const text = say().quality;
  const asked = useAsked(() => readSettings(), []);
  const draft = useDraft<Typed>('quality', { ...NEW_ENTRY, base: null });
  const [goes, setGoes] = useState<QualityEntry>();
  useAccountNews(/^Updated quality\./, asked.again);
  const mayChange = isAdministrator();
  return (
    <Read asked={asked}>
      {(settings) => (
        <>
          <p class="account-lead">{text.lead}</p>
          <Rules settings={settings} mayChange={mayChange} onSaved={asked.again} />
          <h2 id="codes">{text.codes}</h2>
          <ul class="account-list" aria-labelledby="codes">
            {settings.codes.map((entry) => (
              <li key={entry.name}>
                <span class="account-color" style={{ background: entry.color ?? 'none' }} aria-hidden="true" />
                <span class="account-text">
                  <span>
                    <span class="number account-code">{entry.code}</span> <bdi class="account-name">{entry.name}</bdi>
                  </span>
                  <span class="soft">{factsOf(entry)}</span>
                </span>
                {mayChange && (
                  <span class="account-tools">
                    <Button
                      look="bare"
                      icon="pencil"
                      aria-label={text.change(entry.name)}
                      onClick={() => draft.open(entry.name, { ...typedOf(entry), base: entry })}
                    />
                    {!entry.isSystem && (
                      <Button
                        look="bare"
                        icon="trash"
                        aria-label={text.remove(entry.name)}
                        onClick={() => setGoes(entry)}
                      />
                    )}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {mayChange && (
            <p>
              <Button look="main" icon="plus" onClick={() => draft.open('', { ...NEW_ENTRY, base: null })}>
                {text.add}
              </Button>
            </p>
          )}
          {draft.target !== undefined && <Edit draft={draft} onSaved={asked.again} />}
          {goes && (
            <Remove entry={goes} unknown={settings.unknown} onClose={() => setGoes(undefined)} onDone={asked.again} />
          )}
        </>
      )}
    </Read>
  );
}

function factsOf({ type, sourceQuality, isSystem }: QualityEntry): string {
  const text = say().quality;
  return [
    text.types[type],
    sourceQuality.length === 0 ? '' : text.ofSources(sourceQuality.join(', ')),
    isSystem ? text.system : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

type RulesProps = {
  readonly settings: QualitySettings;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
};

/** The rules for records without a code and with one that nobody has named, and for those that are left out. */
function Rules({ settings, mayChange, onSaved }: RulesProps) {
  const text = say().quality;
  const { ui } = words.value;
  const { excluded, unspecified, unknown } = settings;
  const now: QualityRules = { excluded, unspecified, unknown };
  const draft = useDraft<{ readonly rules: QualityRules; readonly base: QualityRules }>('quality rules', {
    rules: now,
    base: now,
  });
  const isChanged = draft.target !== undefined;
  const shown = isChanged ? draft.values.rules : now;
  const saving = useSaving<QualityRules>([], (theirs) => {
    if (!theirs) return '';
    // A rule that was not touched here stays as the other person has it.
    draft.change({ base: theirs, rules: overTheirs(draft.values.base, draft.values.rules, theirs).values });
    return rulesText(theirs);
  });
  const change = (part: Partial<QualityRules>) => {
    const rules = { ...shown, ...part };
    if (isChanged) draft.change({ rules });
    else draft.open('rules', { rules, base: now });
  };
  const save = () =>
    saving.run(async () => {
      await saveRules(draft.values.base, shown);
      draft.drop();
      onSaved();
      toast(text.rulesSaved);
    });
  const choice = (name: 'unspecified' | 'unknown') => (
    <label>
      <span>{text[name]}</span>
      <select
        value={shown[name]}
        disabled={!mayChange}
        onChange={(event) => change({ [name]: event.currentTarget.value as QualityType })}
      >
        {QUALITY_TYPES.map((type) => (
          <option key={type} value={type}>
            {text.types[type]}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section class="account-card form" aria-label={text.rules}>
      <div class="account-columns">
        {choice('unspecified')}
        {choice('unknown')}
        <fieldset>
          <legend>{text.excluded}</legend>
          {QUALITY_TYPES.map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                disabled={!mayChange}
                checked={shown.excluded.includes(type)}
                onChange={(event) =>
                  change({
                    excluded: QUALITY_TYPES.filter((qualityType) =>
                      qualityType === type ? event.currentTarget.checked : shown.excluded.includes(qualityType),
                    ),
                  })
                }
              />
              <span>{text.types[type]}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <p class="hint">{text.excludedHint}</p>
      {isChanged && (
        <DialogAnswers
          problem={saving.problem}
          isBusy={saving.isBusy}
          main={ui.save}
          onMain={save}
          cancel={ui.cancel}
          onCancel={draft.drop}
        />
      )}
    </section>
  );
}

const rulesText = ({ excluded, unspecified, unknown }: QualityRules): string => {
  const text = say().quality;
  const { types } = text;
  return [
    `${text.unspecified}: ${types[unspecified]}`,
    `${text.unknown}: ${types[unknown]}`,
    `${text.excluded}: ${excluded.map((type) => types[type]).join(', ') || text.nothing}`,
  ].join('; ');
};

/** The value of a field of colours: lower-case, as they are compared. */
const HEX = /^#[0-9a-f]{6}$/i;

function Edit({ draft, onSaved }: { readonly draft: Draft<Typed>; readonly onSaved: () => void }) {
  const text = say().quality;
  const { ui } = words.value;
  const { values } = draft;
  const { base } = values;
  const isSystem = base?.isSystem === true;
  const saving = useSaving<QualityEntry>(['name', 'code', 'sourceQuality', 'type', 'color'], (theirs) => {
    if (!theirs || !base) {
      draft.change({ base: null });
      return say().gone;
    }
    const { base: _, ...mine } = values;
    const over = overTheirs(typedOf(base), mine, typedOf(theirs));
    draft.change({ ...over.values, base: theirs });
    return { text: `${theirs.code} ${theirs.name}, ${factsOf(theirs)}`, conflicts: over.conflicts };
  });
  const { problemOf } = saving;
  const save = () =>
    saving.run(async () => {
      const entry = entryOf(values);
      await saveEntry(base ?? undefined, entry);
      draft.drop();
      onSaved();
      toast(say().saved(entry.name));
    });
  const on = (name: 'name' | 'code' | 'sources' | 'color') => (event: { currentTarget: HTMLInputElement }) =>
    draft.change({ [name]: event.currentTarget.value });
  const hard = hardToSeeOn(values.color);
  return (
    <FormDialog
      title={base ? text.change(base.name) : text.add}
      problem={saving.problem}
      isBusy={saving.isBusy}
      main={ui.save}
      onCancel={draft.drop}
      onSend={save}
      onClose={draft.close}
    >
      <Field label={text.name} problem={problemOf('name')} {...(isSystem && { hint: text.systemHint })}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autocomplete="off"
            readOnly={isSystem}
            value={values.name}
            onInput={on('name')}
          />
        )}
      </Field>
      <Field label={text.code} hint={text.codeHint} problem={problemOf('code')}>
        {(control) => (
          <input {...control} inputMode="numeric" autocomplete="off" value={values.code} onInput={on('code')} />
        )}
      </Field>
      <Field label={text.sources} hint={text.sourcesHint} problem={problemOf('sourceQuality')}>
        {(control) => (
          <input {...control} inputMode="text" autocomplete="off" value={values.sources} onInput={on('sources')} />
        )}
      </Field>
      {!isSystem && (
        <Field label={text.type} problem={problemOf('type')}>
          {(control) => (
            <select
              {...control}
              value={values.type}
              onChange={(event) => draft.change({ type: event.currentTarget.value as QualityType })}
            >
              {QUALITY_TYPES.map((type) => (
                <option key={type} value={type}>
                  {text.types[type]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={text.color} problem={problemOf('color')} hint={text.colorHint}>
        {(control) => (
          <span class="account-pick">
            <input
              type="color"
              aria-label={text.pick}
              value={HEX.test(values.color) ? values.color : '#808080'}
              onInput={on('color')}
            />
            <input {...control} autocomplete="off" spellcheck={false} value={values.color} onInput={on('color')} />
          </span>
        )}
      </Field>
      <div class="account-grounds" aria-hidden="true">
        {(['light', 'dark'] as const).map((scheme) => (
          <span key={scheme} class={`is-${scheme}`}>
            <i style={{ background: HEX.test(values.color) ? values.color : 'none' }} />
          </span>
        ))}
      </div>
      <p class="soft" role="status">
        {hard.map(({ scheme, ratio }) => text.hard(scheme, ratio)).join(' ')}
      </p>
      <Conflicts
        conflicts={saving.conflicts}
        labels={{ name: text.name, code: text.code, sources: text.sources, type: text.type, color: text.color }}
        show={(name, value) => (name === 'type' ? text.types[value as QualityType] : String(value))}
        onSettle={(conflict, isMine) => {
          saving.settle(conflict);
          if (!isMine) draft.change({ [conflict.name]: conflict.theirs });
        }}
      />
    </FormDialog>
  );
}

type RemoveProps = {
  readonly entry: QualityEntry;
  readonly unknown: QualityType;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Records keep their numbers: what they mean afterwards is said before the entry goes. */
function Remove({ entry, unknown, onClose, onDone }: RemoveProps) {
  const text = say().quality;
  const { ui } = words.value;
  const [base, setBase] = useState(entry);
  const remove = async () => {
    await saveEntry(base, undefined);
    onDone();
    const undo = () =>
      saveEntry(undefined, base).then(onDone, (error: unknown) => toast(errorText(error), { isBad: true }));
    toast(say().deleted(entry.name), { action: { label: ui.undo, run: () => void undo() } });
  };
  const numbers = [...new Set([base.code, ...base.sourceQuality])].join(', ');
  return (
    <Ask<QualityEntry>
      title={text.removeTitle(entry.name)}
      main={text.removeIt}
      run={remove}
      theirs={(theirs) => {
        if (theirs) setBase(theirs);
        return theirs ? `${theirs.code} ${theirs.name}, ${factsOf(theirs)}` : say().gone;
      }}
      onClose={onClose}
    >
      <p>{text.loses(numbers, text.types[base.type], text.types[unknown])}</p>
    </Ask>
  );
}
