import {
  QUALITY_TYPES,
  type QualityRules,
  type QualitySettings,
  saveRules,
} from '../../../data/account/quality-settings.ts';
import type { QualityType } from '../../../data/records/quality.ts';
import { useDraft } from '../../../parts/typed-draft.ts';
import { DialogAnswers } from '../../../ui/dialog-answers.tsx';
import { overTheirs } from '../../../ui/form/index.ts';
import { toast } from '../../../ui/toast.tsx';
import { words } from '../../../words/index.ts';
import { useSaving } from '../use-saving.ts';
import { say } from '../words.ts';

type RulesProps = {
  readonly settings: QualitySettings;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
};

/** Edits the rules for records without a code and with one that nobody has named, and for those that are left out. */
export function Rules({ settings, mayChange, onSaved }: RulesProps) {
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
