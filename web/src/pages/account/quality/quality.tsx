import { useState } from 'preact/hooks';
import { type QualityEntry, readSettings, saveEntry } from '../../../data/account/quality-settings.ts';
import type { QualityType } from '../../../data/records/quality.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { isAdministrator } from '../../../data/session/rights.ts';
import { useDraft } from '../../../parts/typed-draft.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { Ask } from '../ask.tsx';
import { Read } from '../read.tsx';
import { useAccountNews } from '../use-account-news.ts';
import { say } from '../words.ts';
import { CodeDialog, type Typed } from './code-dialog.tsx';
import { factsOf, NEW_ENTRY, typedOf } from './code-text.ts';
import { Rules } from './rules.tsx';

/** Shows the meaning of codes of records, and how they count. */
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
          {draft.target !== undefined && <CodeDialog draft={draft} onSaved={asked.again} />}
          {goes && (
            <Remove entry={goes} unknown={settings.unknown} onClose={() => setGoes(undefined)} onDone={asked.again} />
          )}
        </>
      )}
    </Read>
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
