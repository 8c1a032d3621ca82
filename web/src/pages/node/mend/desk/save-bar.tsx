import { useState } from 'preact/hooks';
import { Button } from '../../../../ui/button.tsx';
import { SaveDialog } from '../save/save-dialog.tsx';
import { say } from '../words.ts';
import type { DeskState } from './use-desk.ts';

/** Says how much has changed, and saves or discards it. */
export function SaveBar({ desk }: { readonly desk: DeskState }) {
  const text = say();
  const [isSaving, setSaving] = useState(false);
  const { count } = desk.unsaved;
  return (
    <>
      <div class="mend-save">
        <p>
          <strong>{text.changes(count)}</strong>
          {count > 0 && <span class="soft">{desk.hasRoom ? text.keptHere : text.notKept}</span>}
        </p>
        <Button look="main" disabled={count === 0} onClick={() => count > 0 && setSaving(true)}>
          {text.save}
        </Button>
        {count > 0 && <Button onClick={desk.discard}>{text.discard}</Button>}
      </div>
      {isSaving && (
        <SaveDialog
          node={desk.node}
          range={desk.range}
          base={desk.base}
          work={desk.work}
          transform={desk.transform ?? { multiplier: 1, offset: 0 }}
          coding={desk.coding}
          qualities={desk.qualities}
          onSaved={({ after }) => after && desk.startAgain(after.base, after.work)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
