import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Before, grant, revoke, type Who } from '../../data/people/access.ts';
import type { Access, People, Workspace } from '../../data/people/people.ts';
import { may } from '../../data/session/rights.ts';
import { times } from '../../data/times.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { EndDialog, type Ending } from './end-dialog.tsx';
import { Pager } from './pager.tsx';
import { accessProblem } from './problem-text.ts';
import { type Cell, movedTo, named, type PersonAccess, type PersonRow, windowAt } from './rows.ts';
import { say } from './words.ts';

type Line = {
  readonly key: string;
  readonly name: string;
  readonly who: Who;
  /** True where nothing of it hangs on roles. */
  readonly mayAll: boolean;
  readonly access: ReadonlyMap<string, PersonAccess>;
};

/** Groups first, then people, each with what they have in Workspaces. */
function linesOf({ groups, workspaces }: People, rows: readonly PersonRow[]): readonly Line[] {
  const entriesOf = (group: string): ReadonlyMap<string, PersonAccess> =>
    new Map(
      workspaces.flatMap(({ _id, groups: entered }) => {
        const direct = entered.find((entry) => entry.group === group);
        return direct ? [[_id, { direct, byGroups: [] }] as const] : [];
      }),
    );
  return [
    ...groups.map(({ group }) => ({
      key: `g ${group}`,
      name: group,
      who: { group },
      mayAll: false,
      access: entriesOf(group),
    })),
    ...rows.map(({ email, name, standing, access }) => ({
      key: `p ${email}`,
      name: name || email,
      who: { user: email },
      mayAll: standing !== 'USER',
      access,
    })),
  ];
}

/** A cell is known by what it is of: others may add and take lines meanwhile. */
type Place = { readonly key: string; readonly id: string };
type Opened = Place & { readonly at: DOMRect };

type TableProps = { readonly all: People; readonly rows: readonly PersonRow[] };

/** `to` is the access that is to be as before, `was` what was made of it. */
type Undo = { readonly to: Access | undefined; readonly was: Before };

/** This much of the table is drawn at once. */
const ROWS = 50;
const COLUMNS = 20;

/** Shows Workspaces × people: moved in by arrows, and changed in place. Of a large one a part is drawn, which follows. */
export function AccessTable(props: TableProps) {
  const text = say();
  if (props.all.workspaces.length > 0) return <Shown {...props} />;
  return (
    <EmptyState icon="folder" title={text.noWorkspaces}>
      {text.noWorkspacesText}
    </EmptyState>
  );
}

function Shown({ all, rows }: TableProps) {
  const text = say();
  const grid = useRef<HTMLTableElement>(null);
  const [place, setPlace] = useState<Place>();
  const [opened, setOpened] = useState<Opened>();
  const [busy, setBusy] = useState('');
  const [ending, setEnding] = useState<Ending>();
  const [sought, setSought] = useState({ line: '', workspace: '' });
  const focusNext = useRef(false);
  const everyLine = linesOf(all, rows);
  const workspaces = named(all.workspaces, sought.workspace);
  const lines = named(everyLine, sought.line, ({ who }) => ('user' in who ? who.user : ''));
  const active: Cell = {
    row: Math.max(
      lines.findIndex(({ key }) => key === place?.key),
      0,
    ),
    column: Math.max(
      workspaces.findIndex(({ _id }) => _id === place?.id),
      0,
    ),
  };
  const setActive = ({ row, column }: Cell) => setPlace({ key: lines[row]!.key, id: workspaces[column]!._id });
  const isOpen = ({ row, column }: Cell) => !lines[row]!.mayAll && may('SECURITY', workspaces[column]) && busy === '';
  const element = ({ row, column }: Cell) =>
    grid.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
  // A cell of another part is there once it is drawn.
  useLayoutEffect(() => {
    if (focusNext.current) element(active)?.focus();
    focusNext.current = false;
  });
  const [shownRows, shownColumns] = [
    windowAt(active.row, lines.length, ROWS),
    windowAt(active.column, workspaces.length, COLUMNS),
  ];
  const open = (cell: Cell) => {
    setActive(cell);
    const at = element(cell);
    if (!at || !isOpen(cell)) return;
    at.focus();
    setOpened({ key: lines[cell.row]!.key, id: workspaces[cell.column]!._id, at: at.getBoundingClientRect() });
  };

  /** @param role empty: none @param expiryTime absent: as before */
  const set = async ({ key, name, who }: Line, { _id, name: workspace }: Workspace, role: string, back?: Undo) => {
    const before = lines.find((line) => line.key === key)?.access.get(_id)?.direct;
    const was = back ? back.was : (before ?? null);
    setBusy(`${key} ${_id}`);
    try {
      if (role === '') await revoke(_id, who);
      else await grant(_id, who, { role, ...(back && { expiryTime: back.to?.expiryTime ?? null }) }, { was });
      const undo = () =>
        void set(
          { ...lines.find((line) => line.key === key)! },
          workspaces.find((w) => w._id === _id)!,
          before?.role ?? '',
          { to: before, was: role === '' ? null : { ...before, role } },
        );
      toast(
        role === '' ? text.taken(name, workspace) : text.changed(name, workspace, role),
        back === undefined && before?.role !== '' ? { action: { label: words.value.ui.undo, run: undo } } : {},
      );
    } catch (error) {
      toast(accessProblem(error), { isBad: true });
    } finally {
      setBusy('');
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedTo(event.key, active, { rows: lines.length, columns: workspaces.length });
    const line = lines[active.row];
    const workspace = workspaces[active.column];
    if (to && lines.length > 0 && workspaces.length > 0) {
      setActive(to);
      focusNext.current = true;
    } else if (event.key === 'Enter' || event.key === ' ' || event.key === 'F2') open(active);
    else if (event.key === 'Delete' && line && workspace && isOpen(active) && line.access.get(workspace._id)?.direct)
      void set(line, workspace, '');
    else return;
    event.preventDefault();
  };
  const menuOf = (line: Line, workspace: Workspace): readonly MenuItem[] => {
    const direct = line.access.get(workspace._id)?.direct;
    const now = direct?.role ?? '';
    return [
      ...all.roles.map(({ name }) => ({
        label: name,
        isChosen: name === now,
        onSelect: () => void (name === now || set(line, workspace, name)),
      })),
      ...(direct === undefined
        ? []
        : [
            ...(now === ''
              ? []
              : [
                  {
                    label: direct.expiryTime ? text.endChange : text.endSetIt,
                    isApart: true,
                    onSelect: () =>
                      setEnding({
                        who: line.who,
                        name: line.name,
                        workspace,
                        role: now,
                        expiryTime: direct.expiryTime ?? null,
                      }),
                  },
                ]),
            { label: text.take, isDanger: true, isApart: true, onSelect: () => void set(line, workspace, '') },
          ]),
    ];
  };
  const openedLine = lines.find(({ key }) => key === opened?.key);
  const openedWorkspace = workspaces.find(({ _id }) => _id === opened?.id);
  return (
    <>
      <p class="soft keys-hint">{text.tableHint}</p>
      {(everyLine.length > ROWS || all.workspaces.length > COLUMNS) && (
        <div class="access-parts">
          <Pager
            label={text.findWho}
            shown={shownRows}
            total={lines.length}
            sought={sought.line}
            onSeek={(line) => setSought({ ...sought, line })}
            onGo={(row) => setActive({ row, column: active.column })}
          />
          <Pager
            label={text.findWorkspace}
            shown={shownColumns}
            total={workspaces.length}
            sought={sought.workspace}
            onSeek={(workspace) => setSought({ ...sought, workspace })}
            onGo={(column) => setActive({ row: active.row, column })}
          />
        </div>
      )}
      <div class="access">
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are moved in
          role="grid"
          aria-label={text.table}
          aria-rowcount={lines.length + 1}
          aria-colcount={workspaces.length + 1}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              <th scope="col">{text.who}</th>
              {shownColumns.of(workspaces).map(([{ _id, name }, column]) => (
                <th key={_id} scope="col" aria-colindex={column + 2}>
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shownRows.of(lines).map(([line, row]) => (
              <tr key={line.key} aria-rowindex={row + 2}>
                <th scope="row">
                  <bdi>{line.name}</bdi>
                  {'user' in line.who && line.name !== line.who.user && <span class="soft">{line.who.user}</span>}
                  {'group' in line.who && <span class="soft">{text.group}</span>}
                </th>
                {shownColumns.of(workspaces).map(([workspace, column]) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the keys
                  <td
                    key={workspace._id}
                    data-row={row}
                    data-column={column}
                    aria-colindex={column + 2}
                    tabIndex={active.row === row && active.column === column ? 0 : -1}
                    aria-busy={busy === `${line.key} ${workspace._id}`}
                    class={isOpen({ row, column }) ? 'is-open' : ''}
                    onFocus={() => setActive({ row, column })}
                    onClick={() => open({ row, column })}
                  >
                    <CellText line={line} access={line.access.get(workspace._id)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {opened && openedLine && openedWorkspace && (
        <ContextMenu
          label={text.cell(openedLine.name, openedWorkspace.name)}
          items={menuOf(openedLine, openedWorkspace)}
          at={opened.at}
          onClose={() => setOpened(undefined)}
        />
      )}
      {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function CellText({ line, access }: { readonly line: Line; readonly access: PersonAccess | undefined }) {
  const text = say();
  if (line.mayAll) return <span class="soft">{text.everything}</span>;
  if (access === undefined) return <span class="soft">{text.noRole}</span>;
  const { direct, byGroups } = access;
  const end = (direct ?? byGroups[0])?.expiryTime;
  return (
    <>
      <bdi>{direct ? direct.role || text.roleGone : text.byGroup}</bdi>
      {end && <span class="soft">{text.endsAt(times().whole(Date.parse(end)))}</span>}
    </>
  );
}
