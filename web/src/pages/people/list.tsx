import { localeOf, times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { language } from '../../words/index.ts';
import { type PersonRow, rolesOf } from './rows.ts';
import { say } from './words.ts';

/** Writes a person's rights in a line. */
function mayText(row: PersonRow): string {
  const text = say();
  if (row.standing !== 'USER') return text.standings[row.standing];
  const roles = rolesOf(row).map(([role, count]) =>
    text.inWorkspaces(role === undefined ? text.byGroup : role || text.roleGone, count),
  );
  return roles.join(', ') || text.nothing;
}

const timeText = (iso: string | null, otherwise: string): string =>
  iso === null ? otherwise : times().whole(Date.parse(iso));

function columnsOf(): readonly Column<PersonRow>[] {
  const text = say();
  const { columns } = text;
  return [
    {
      id: 'name',
      title: columns.name,
      width: 'minmax(9rem, 1fr)',
      isFixed: true,
      text: ({ name, email }) => name || email,
    },
    { id: 'email', title: columns.email, width: 'minmax(12rem, 1.5fr)', text: ({ email }) => email },
    { id: 'may', title: columns.may, width: 'minmax(14rem, 2fr)', text: mayText },
    { id: 'groups', title: columns.groups, width: 'minmax(8rem, 1fr)', text: ({ groups }) => groups.join(', ') },
    {
      id: 'lastLogin',
      title: columns.lastLogin,
      width: 'minmax(12rem, 1fr)',
      value: ({ lastLogin }) => lastLogin,
      text: ({ lastLogin }) => timeText(lastLogin, text.never),
      cell: ({ lastLogin }) => <Since iso={lastLogin} text={text.never} />,
    },
    {
      id: 'ends',
      title: columns.ends,
      width: '11.5rem',
      value: ({ ends }) => ends,
      text: ({ ends }) => timeText(ends, text.noEnd),
    },
  ];
}

/** Shows everybody, with what they may do and when they were here last. */
export function PeopleList({
  rows,
  onOpen,
}: {
  readonly rows: readonly PersonRow[];
  readonly onOpen: (row: PersonRow) => void;
}) {
  const text = say();
  return (
    <Table<PersonRow>
      label={text.title}
      columns={columnsOf()}
      rows={rows}
      onOpen={onOpen}
      keyOf={({ email }) => email}
      words={tableWords()}
      locale={localeOf(language.value)}
      fileName={text.title}
      card={{ below: 720, height: 92, show: (row) => <Card row={row} /> }}
      empty={
        <EmptyState icon="person" title={text.none}>
          {text.noneText}
        </EmptyState>
      }
    />
  );
}

function Card({ row }: { readonly row: PersonRow }) {
  const text = say();
  return (
    <>
      <p class="card-main" dir="auto">
        {row.name || row.email}
      </p>
      <p class="card-facts">
        <bdi>{row.name === '' ? '' : row.email}</bdi>
        <Since iso={row.lastLogin} text={text.never} />
      </p>
      <p class="card-facts">
        <bdi>{mayText(row)}</bdi>
      </p>
    </>
  );
}
