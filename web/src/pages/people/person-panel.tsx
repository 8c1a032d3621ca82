import { useState } from 'preact/hooks';
import { setAdministrator } from '../../data/people/groups.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/index.ts';
import { act } from './acting.ts';
import { Groups } from './person-groups.tsx';
import { type Asked, PersonQuestion, takenBy } from './person-question.tsx';
import { Workspaces } from './person-workspaces.tsx';
import type { PersonOf } from './rows.ts';
import { say } from './words.ts';

type PanelProps = PersonOf & {
  /** It stands beside the list, and over it otherwise. */
  readonly isBeside: boolean;
  readonly onClose: () => void;
};

/** Shows the rights of a person and where they come from, and changes them. */
export function PersonPanel({ row, all, isBeside, onClose }: PanelProps) {
  const text = say();
  const { ui } = words.value;
  const [asked, setAsked] = useState<Asked>();
  const { email, standing } = row;
  const name = row.name || email;
  const isMe = email === start().person.email;
  const taken = takenBy({ row, all });
  const mayRemove = !isMe && standing !== 'OWNER' && (isAdministrator() || (standing === 'USER' && taken.length > 0));
  const content = (
    <div class="person">
      <p class="soft">
        {row.name !== '' && <bdi class="person-mail">{email}</bdi>}
        {isMe && <span>{text.isYou}</span>}
        <span>
          {text.columns.lastLogin}: <Since iso={row.lastLogin} text={text.never} />
        </span>
      </p>
      {standing === 'USER' ? (
        <Workspaces row={row} all={all} onEnd={(ending) => setAsked({ kind: 'end', ending })} />
      ) : (
        <p>{text.mayAll[standing]}</p>
      )}
      {(isAdministrator() || row.groups.length > 0) && <Groups row={row} all={all} />}
      {mayRemove && (
        <p class="buttons">
          {isAdministrator() && standing === 'USER' && (
            <Button
              onClick={() =>
                act(
                  () => setAdministrator(email, true),
                  text.isAdministratorNow(name),
                  () => setAdministrator(email, false),
                )
              }
            >
              {text.makeAdministrator}
            </Button>
          )}
          {standing === 'ADMINISTRATOR' && (
            <Button onClick={() => setAsked({ kind: 'administrator' })}>{text.takeAdministrator}</Button>
          )}
          <Button icon="trash" onClick={() => setAsked({ kind: 'remove' })}>
            {isAdministrator() ? text.removeFromAccount : text.removeFromYours}
          </Button>
        </p>
      )}
    </div>
  );
  return (
    <>
      {isBeside ? (
        <aside class="beside-panel" aria-labelledby="person">
          <header class="page-head">
            <h2 id="person" dir="auto">
              {name}
            </h2>
            <Button look="bare" icon="close" aria-label={ui.close} onClick={onClose} />
          </header>
          {content}
        </aside>
      ) : (
        <Dialog title={name} onClose={onClose} closeText={ui.close} class="is-large">
          {content}
        </Dialog>
      )}
      {asked && (
        <PersonQuestion row={row} all={all} asked={asked} onClose={() => setAsked(undefined)} onGone={onClose} />
      )}
    </>
  );
}
