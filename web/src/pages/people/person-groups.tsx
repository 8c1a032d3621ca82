import { setMember } from '../../data/people/groups.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Pick } from '../../ui/pick.tsx';
import { words } from '../../words/index.ts';
import { act } from './acting.ts';
import type { PersonOf } from './rows.ts';
import { say } from './words.ts';

/** Shows the groups that a person is in. */
export function Groups({ row, all }: PersonOf) {
  const text = say();
  const name = row.name || row.email;
  const mayChange = isAdministrator();
  const joined = all.groups.filter(({ group }) => row.groups.includes(group));
  const others = all.groups.filter(({ group }) => !row.groups.includes(group));
  const set = ({ _id, group }: (typeof joined)[number], isOne: boolean) =>
    act(
      () => setMember(_id, row.email, isOne),
      isOne ? text.memberNow(name, group) : text.memberNoMore(name, group),
      () => setMember(_id, row.email, !isOne),
    );
  return (
    <section aria-label={text.columns.groups}>
      <h3>{text.columns.groups}</h3>
      {joined.length === 0 && <p class="soft">{text.noGroups}</p>}
      <ul class="chips">
        {joined.map((group) => (
          <li key={group.group}>
            <bdi>{group.group}</bdi>
            {mayChange && (
              <Button
                look="bare"
                icon="close"
                aria-label={text.takeOut(name, group.group)}
                onClick={() => set(group, false)}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && others.length > 0 && (
        <Pick
          label={text.addToGroup}
          none={text.addToGroup}
          options={others.map(({ group }) => [group, group] as const)}
          main={words.value.ui.add}
          onPick={(name) => {
            const chosen = others.find(({ group }) => group === name);
            if (chosen) return set(chosen, true);
          }}
        />
      )}
    </section>
  );
}
