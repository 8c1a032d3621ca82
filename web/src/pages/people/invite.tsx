import { useState } from 'preact/hooks';
import { grant } from '../../data/people/access.ts';
import { type Granted, setAdministrator, setMember } from '../../data/people/groups.ts';
import { type People, readPeople } from '../../data/people/people.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Once } from '../../ui/once.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { addressOf, inviteLack, type PersonRow, type Place } from './rows.ts';
import { useKept } from './use-kept.ts';
import { say } from './words.ts';

type Done = Granted & { readonly email: string; readonly isKnown: boolean };
const NOTHING_TYPED = { email: '', where: '', role: '', isMailed: true };
type InviteProps = { readonly all: People; readonly rows: readonly PersonRow[]; readonly onClose: () => void };

const placeOf = (value: string): Place | undefined => {
  const [kind, id = ''] = value.split(' ');
  return kind === '' ? undefined : { kind: kind as Place['kind'], id };
};

/** Invites a person to one thing, by one request: it is made whole or not at all. */
export function Invite({ all, rows, onClose }: InviteProps) {
  const text = say();
  const [{ email, where, role, isMailed }, type, forget] = useKept(`invitation ${start().account.id}`, NOTHING_TYPED);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<Done>();
  const place = placeOf(where);
  const groups = isAdministrator() ? all.groups : [];

  const send = async () => {
    const lack = inviteLack({ email, role, place }, start().person.email, rows, groups);
    setProblem(lack === undefined ? '' : text.lacks[lack]);
    if (lack !== undefined || place === undefined) return;
    const user = addressOf(email);
    setBusy(true);
    try {
      const granted = await sent(place, user, role, isMailed);
      forget();
      setDone({ ...granted, email: user, isKnown: rows.some((row) => row.email === user) });
    } catch (error) {
      const isGone = place.kind === 'group' && (error as { readonly status?: number }).status === 404;
      setProblem(isGone ? text.lacks.groupGone : errorText(error));
      if (isGone) {
        type({ where: '' });
        await readPeople().catch(() => undefined);
      }
    } finally {
      setBusy(false);
    }
  };
  if (done) return <Invited done={done} isMailed={isMailed} onClose={onClose} />;
  return (
    <FormDialog title={text.invite} problem={problem} isBusy={isBusy} main={text.send} onSend={send} onClose={onClose}>
      <label>
        <span>{text.email}</span>
        <input
          autofocus
          type="email"
          autocomplete="off"
          value={email}
          onInput={(event) => type({ email: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>{text.gets}</span>
        <select value={where} onChange={(event) => type({ where: event.currentTarget.value })}>
          <option value="">{text.choose}</option>
          {all.workspaces
            .filter((one) => may('SECURITY', one))
            .map(({ _id, name }) => (
              <option key={_id} value={`workspace ${_id}`}>
                {text.getsRole(name)}
              </option>
            ))}
          {groups.map(({ _id, group }) => (
            <option key={_id} value={`group ${_id}`}>
              {text.getsGroup(group)}
            </option>
          ))}
          {isAdministrator() && <option value="administrator">{text.getsAll}</option>}
        </select>
      </label>
      {place?.kind === 'workspace' && (
        <label>
          <span>{text.role}</span>
          <select value={role} onChange={(event) => type({ role: event.currentTarget.value })}>
            <option value="">{text.choose}</option>
            {all.roles.map(({ _id, name }) => (
              <option key={_id} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={isMailed}
          onChange={(event) => type({ isMailed: event.currentTarget.checked })}
        />
        <span>{text.byMail}</span>
      </label>
    </FormDialog>
  );
}

function sent({ kind, id }: Place, user: string, role: string, isMailed: boolean): Promise<Granted> {
  if (kind === 'workspace') return grant(id, { user }, { role }, { isMailed });
  if (kind === 'group') return setMember(id, user, true, isMailed);
  return setAdministrator(user, true, isMailed);
}

function Invited({
  done,
  isMailed,
  onClose,
}: {
  readonly done: Done;
  readonly isMailed: boolean;
  readonly onClose: () => void;
}) {
  const text = say();
  return (
    <Dialog title={text.invitedTitle(done.email)} onClose={onClose} closeText={words.value.ui.close}>
      <div class="form">
        <p>
          {done.link === undefined ? (done.isKnown ? text.known : text.waits) : isMailed ? text.mailed : text.linked}
        </p>
        {done.link !== undefined && (
          <Once value={done.link} label={text.copy} copied={text.copied} failed={text.copyFailed} />
        )}
        <p class="buttons">
          <Button look="main" onClick={onClose}>
            {text.done}
          </Button>
        </p>
      </div>
    </Dialog>
  );
}
