import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { say } from '../words.ts';
import type { Unsaved } from './use-unsaved.ts';

/** Asks what becomes of changes that are not saved. */
export function LeaveDialog({ unsaved }: { readonly unsaved: Unsaved }) {
  const text = say();
  return (
    <Dialog title={text.leave} onClose={unsaved.stay} closeText={text.stay}>
      <p>{text.leaveText(unsaved.count)}</p>
      <p class="buttons">
        <Button look="main" autofocus onClick={unsaved.stay}>
          {text.stay}
        </Button>
        <Button onClick={unsaved.leave}>{text.leaveKeep}</Button>
        <Button look="danger" onClick={unsaved.discardAndLeave}>
          {text.leaveDiscard}
        </Button>
      </p>
    </Dialog>
  );
}
