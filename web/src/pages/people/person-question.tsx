import { removePerson } from '../../data/people/access.ts';
import { setAdministrator } from '../../data/people/groups.ts';
import type { Workspace } from '../../data/people/people.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { Question, Some } from './question.tsx';
import type { PersonOf } from './rows.ts';
import { say } from './words.ts';

export type Asked = { readonly kind: 'remove' | 'administrator' } | { readonly kind: 'end'; readonly ending: Ending };

type QuestionProps = PersonOf & {
  readonly asked: Asked;
  readonly onClose: () => void;
  /** The person is not in the account any more. */
  readonly onGone: () => void;
};

/** Returns Workspaces that the caller may take from a person: those in which the person has a role by name. */
export const takenBy = ({ row, all }: PersonOf): readonly Workspace[] =>
  all.workspaces.filter((workspace) => may('SECURITY', workspace) && row.access.get(workspace._id)?.direct);

/** Asks before a person loses something. */
export function PersonQuestion({ row, all, asked, onClose, onGone }: QuestionProps) {
  const text = say();
  const { email, standing } = row;
  const name = row.name || email;
  const taken = takenBy({ row, all });
  if (asked.kind === 'end') return <EndDialog ending={asked.ending} onClose={onClose} />;
  if (asked.kind === 'administrator')
    return (
      <Question
        title={text.takeAdministratorTitle(name)}
        main={text.takeAdministrator}
        said={text.isAdministratorNoMore(name)}
        work={() => setAdministrator(email, false)}
        onClose={onClose}
      >
        <p>{text.administratorLost}</p>
      </Question>
    );
  return (
    <Question
      title={text.removeTitle(name)}
      main={text.remove}
      said={text.removed(name)}
      work={() => removePerson(email, isAdministrator() ? undefined : taken.map(({ _id }) => _id))}
      onClose={onClose}
      onDone={onGone}
    >
      <p>{text.removeLost}</p>
      <Some
        more={text.more}
        items={[
          // Earlier roles of an administrator are not shown.
          ...(standing === 'ADMINISTRATOR' ? [text.standings.ADMINISTRATOR, text.rolesBefore] : []),
          ...(isAdministrator() ? row.groups.map(text.inGroup) : []),
          ...(isAdministrator() ? all.workspaces : taken).flatMap(({ _id, name: workspace }) => {
            const direct = row.access.get(_id)?.direct;
            return direct ? text.roleIn(direct.role || text.roleGone, workspace) : [];
          }),
        ]}
      />
      <p class="hint">{isAdministrator() ? text.removeHint : text.removeHereHint}</p>
    </Question>
  );
}
