import type { ParameterView } from '@catchment/dashboard-view';
import { useRef, useState } from 'preact/hooks';
import { csrfToken } from '../live/page-address.ts';
import { postChange } from '../live/requests.ts';

type ControlFormProps = { readonly nodeId: string; readonly parameter: ParameterView };

/** Sends a value to the source's device, given in a dialogue. What the device then reports is shown like any other value. */
export function ControlForm({ nodeId, parameter }: ControlFormProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const [note, setNote] = useState('');
  const token = csrfToken();
  if (token === undefined) return null;

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('value');
    const address = `/api/v1/nodes/${encodeURIComponent(nodeId)}`;
    const refusal = await postChange('PUT', address, { controlValue: valueFor(String(given), parameter) }, token);
    setProblem(refusal ?? '');
    if (refusal !== undefined) return;
    setNote('Sent');
    dialog.current?.close();
  };
  return (
    <div class="control">
      <button type="button" onClick={() => dialog.current?.showModal()} aria-label={`Set ${parameter.name}`}>
        Set
      </button>
      <span role="status" class="note">
        {note}
      </span>
      <dialog ref={dialog} aria-label={`Set ${parameter.name}`}>
        <form onSubmit={send}>
          <label>
            <span>{`New value of ${parameter.name}${parameter.units === '' ? '' : ` in ${parameter.units}`}`}</span>
            <input name="value" required autocomplete="off" defaultValue={parameter.value} />
          </label>
          {problem !== '' && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <p class="buttons">
            <button type="submit">Set</button>
            <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </p>
        </form>
      </dialog>
    </div>
  );
}

/** Returns a number, except for parameters that show texts; the name of a state is a text always. */
function valueFor(given: string, { number, time }: ParameterView): string | number {
  const asNumber = given.trim() === '' ? Number.NaN : Number(given);
  const isText = number === null && time !== null;
  return !isText && Number.isFinite(asNumber) ? asNumber : given;
}
