import { QUALITY_TYPES, type QualityEntry, saveEntry } from '../../../data/account/quality-settings.ts';
import type { QualityType } from '../../../data/records/quality.ts';
import { Conflicts } from '../../../parts/conflicts.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import type { Draft } from '../../../parts/typed-draft.ts';
import { overTheirs } from '../../../ui/form/index.ts';
import { Field } from '../../../ui/labelled-field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { words } from '../../../words/index.ts';
import { useSaving } from '../use-saving.ts';
import { say } from '../words.ts';
import { entryOf, factsOf, type TypedEntry, typedOf } from './code-text.ts';
import { hardToSeeOn } from './contrast.ts';

/** The text has the entry as it was when somebody began. */
export type Typed = TypedEntry & { readonly base: QualityEntry | null };

/** Asks for what a code means. */
export function CodeDialog({ draft, onSaved }: { readonly draft: Draft<Typed>; readonly onSaved: () => void }) {
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
  const on = (name: 'name' | 'code' | 'sources') => (event: { currentTarget: HTMLInputElement }) =>
    draft.change({ [name]: event.currentTarget.value });
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
      <ColorField value={values.color} problem={problemOf('color')} onColor={(color) => draft.change({ color })} />
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

/** The value of a field of colours is lower-case, as they are compared. */
const HEX = /^#[0-9a-f]{6}$/i;

type ColorFieldProps = {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onColor: (color: string) => void;
};

/** Asks for a colour, and says where it is hard to see. */
function ColorField({ value, problem, onColor }: ColorFieldProps) {
  const text = say().quality;
  const onInput = (event: { currentTarget: HTMLInputElement }) => onColor(event.currentTarget.value);
  return (
    <>
      <Field label={text.color} problem={problem} hint={text.colorHint}>
        {(control) => (
          <span class="account-pick">
            <input type="color" aria-label={text.pick} value={HEX.test(value) ? value : '#808080'} onInput={onInput} />
            <input {...control} autocomplete="off" spellcheck={false} value={value} onInput={onInput} />
          </span>
        )}
      </Field>
      <div class="account-grounds" aria-hidden="true">
        {(['light', 'dark'] as const).map((scheme) => (
          <span key={scheme} class={`is-${scheme}`}>
            <i style={{ background: HEX.test(value) ? value : 'none' }} />
          </span>
        ))}
      </div>
      <p class="soft" role="status">
        {hardToSeeOn(value)
          .map(({ scheme, ratio }) => text.hard(scheme, ratio))
          .join(' ')}
      </p>
    </>
  );
}
