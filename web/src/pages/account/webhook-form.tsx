import { createWebhook, updateWebhook, type Webhook } from '../../data/account/webhooks.ts';
import { Conflicts } from '../../parts/conflicts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDraft } from '../../parts/typed-draft.ts';
import { overTheirs } from '../../ui/form/index.ts';
import { Field } from '../../ui/labelled-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { ALL_EVENTS, choiceOf, type EventsChoice, filterOf, LEVELS, TYPES } from './events-choice.ts';
import { eventsText } from './events-text.ts';
import { useSaving } from './use-saving.ts';
import { say } from './words.ts';

type Typed = {
  readonly name: string;
  readonly url: string;
  readonly events: EventsChoice;
  /** Somebody began with this webhook; null: a new webhook. */
  readonly base: Webhook | null;
};
const NEW: Typed = { name: '', url: '', events: ALL_EVENTS, base: null };

type WebhookDraft = ReturnType<typeof useWebhookDraft>;

export function useWebhookDraft() {
  const { target, values, open, change, close, drop } = useDraft<Typed>('webhook', NEW);
  return {
    values,
    change,
    close,
    drop,
    isOpen: target !== undefined,
    add: () => open('', NEW),
    edit: (webhook: Webhook) =>
      open(webhook._id, { name: webhook.name, url: webhook.url, events: choiceOf(webhook.filter), base: webhook }),
  };
}

type Settings = Pick<Webhook, 'name' | 'url' | 'filter'>;
/** Returns what the form would send if nothing were typed. */
const typedOf = ({ name, url, filter }: Settings): Settings => ({ name, url, filter: filterOf(choiceOf(filter)) });
const ownOf = ({ name, url, events }: Typed): Settings => ({
  name: name.trim(),
  url: url.trim(),
  filter: filterOf(events),
});
/** Names a webhook so that it is distinguished from others. */
export const addressText = ({ name, url }: Settings): string => `${name}, ${url}`;

type EditProps = {
  readonly draft: WebhookDraft;
  readonly onSaved: () => void;
  readonly onSecret: (secret: string) => void;
};

/** Edits a new webhook, whose secret is shown once, or another name, address or choice of events. */
export function EditWebhook({ draft, onSaved, onSecret }: EditProps) {
  const text = say().webhooks;
  const { ui } = words.value;
  const { values } = draft;
  const { base, events } = values;
  const saving = useSaving<Webhook>(['name', 'url', 'filter'], (theirs) => {
    // A webhook that is gone is made anew.
    if (!theirs || !base) {
      draft.change({ base: null });
      return say().gone;
    }
    const { values: typed, conflicts } = overTheirs(
      typedOf(base),
      { ...typedOf(base), ...ownOf(values) },
      typedOf(theirs),
    );
    draft.change({ ...typed, events: choiceOf(typed.filter), base: theirs });
    return { text: addressText(theirs), conflicts };
  });
  const { problemOf } = saving;
  const save = () =>
    saving.run(async () => {
      const settings = ownOf(values);
      if (base) await updateWebhook(base, settings);
      else onSecret((await createWebhook({ ...settings, enabled: true })).secret);
      draft.drop();
      toast(say().saved(settings.name));
      onSaved();
    });
  const choose = (part: Partial<EventsChoice>) => draft.change({ events: { ...events, ...part } });
  const kinds = { all: text.everything, some: text.some, own: text.own } as const;
  return (
    <FormDialog
      title={base ? `${text.change}: ${base.name}` : text.add}
      problem={saving.problem}
      isBusy={saving.isBusy}
      main={ui.save}
      onCancel={draft.drop}
      onSend={save}
      onClose={draft.close}
    >
      <Field label={text.name} problem={problemOf('name')}>
        {(control) => (
          <input
            {...control}
            dir="auto"
            autocomplete="off"
            value={values.name}
            onInput={(event) => draft.change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={text.url} hint={text.urlHint} problem={problemOf('url')}>
        {(control) => (
          <input
            {...control}
            type="url"
            autocomplete="off"
            spellcheck={false}
            value={values.url}
            onInput={(event) => draft.change({ url: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset>
        <legend>{text.events}</legend>
        {(['all', 'some', 'own'] as const).map((kind) => (
          <label key={kind} class="check">
            <input
              type="radio"
              name="events"
              checked={events.kind === kind}
              onChange={() =>
                choose({ kind, ...(kind === 'own' && events.filter === '' && { filter: filterOf(events) }) })
              }
            />
            <span>{kinds[kind]}</span>
          </label>
        ))}
      </fieldset>
      {events.kind === 'some' && (
        <>
          <Checks
            label={text.levels}
            all={LEVELS}
            names={words.value.events.levels}
            chosen={events.levels}
            onChange={(levels) => choose({ levels })}
          />
          <Checks
            label={text.types}
            all={TYPES}
            names={words.value.events.types}
            chosen={events.types}
            onChange={(types) => choose({ types })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={events.ofAlarms}
              onChange={(event) => choose({ ofAlarms: event.currentTarget.checked })}
            />
            <span>{text.alarms}</span>
          </label>
        </>
      )}
      {events.kind === 'own' && (
        <Field label={text.filter} hint={text.filterHint} problem={problemOf('filter')}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              spellcheck={false}
              value={events.filter}
              onInput={(event) => choose({ filter: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Conflicts
        conflicts={saving.conflicts}
        labels={{ name: text.name, url: text.url, filter: text.events }}
        show={(name, value) => (name === 'filter' ? eventsText(String(value)) : String(value))}
        onSettle={(conflict, isMine) => {
          saving.settle(conflict);
          if (isMine) return;
          const value = String(conflict.theirs);
          draft.change(conflict.name === 'filter' ? { events: choiceOf(value) } : { [conflict.name]: value });
        }}
      />
    </FormDialog>
  );
}

type ChecksProps = {
  readonly label: string;
  readonly all: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

function Checks({ label, all, names, chosen, onChange }: ChecksProps) {
  return (
    <fieldset class="account-checks">
      <legend>{label}</legend>
      {all.map((value) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChange(
                all.filter((option) => (option === value ? event.currentTarget.checked : chosen.includes(option))),
              )
            }
          />
          <span>{names[value] ?? value}</span>
        </label>
      ))}
    </fieldset>
  );
}
