import { nodeAddress, stationAddress } from '../../data/addresses.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { creatableIn } from '../../data/tree/containment.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { words } from '../../words/index.ts';
import type { NodeAction } from './dialogs.tsx';
import type { NodeRow } from './rows.ts';

/** Returns whether several nodes may be moved or deleted: none is the account's own, and the person may change each. */
const maySeveral = (rows: readonly NodeRow[]): boolean =>
  rows.every(({ node }) => may('CONFIGURE', node) && node.parentId !== undefined && !/\.Templates$/.test(node._class));

/** Lists what the person may do with several nodes together. */
export function itemsOfSeveral(
  rows: readonly NodeRow[],
  start: (kind: 'move' | 'delete') => void,
  letGo: () => void,
): readonly MenuItem[] {
  const { tree } = words.value;
  const items: readonly MenuItem[] = maySeveral(rows)
    ? [
        { label: tree.moveSeveral(rows.length), icon: 'move', onSelect: () => start('move') },
        { label: tree.deleteSeveral(rows.length), icon: 'trash', isDanger: true, onSelect: () => start('delete') },
      ]
    : [];
  return [...items, { label: tree.letGo, icon: 'close', isApart: items.length > 0, hint: 'Esc', onSelect: letGo }];
}

/** Lists what the person may do with a node. */
export function itemsOf(
  { node }: NodeRow,
  start: (kind: NodeAction['kind'] | 'rename') => void,
  onGo?: () => void,
): readonly MenuItem[] {
  const { tree } = words.value;
  const gone = onGo === undefined ? {} : { onSelect: onGo };
  const look: MenuItem[] = [
    { label: tree.open, icon: 'right', href: nodeAddress(node._id), ...gone },
    { label: tree.settings, icon: 'gear', href: nodeAddress(node._id, 'settings'), ...gone },
  ];
  if (!may('CONFIGURE', node)) return look;
  const isRoot = node.parentId === undefined;
  const mayHoldStations = /\.(?:Workspace|Group|Location)$/.test(node._class);
  const isOneOfAKind = /\.Templates$/.test(node._class);
  return [
    ...look,
    ...(mayHoldStations
      ? [
          {
            label: tree.addStation,
            icon: 'source',
            href: stationAddress('place', { in: node._id }),
            isApart: true,
            ...gone,
          } as const,
        ]
      : []),
    ...(creatableIn(node._class).length > 0
      ? [{ label: tree.create, icon: 'plus', isApart: !mayHoldStations, onSelect: () => start('create') } as const]
      : []),
    ...(isOneOfAKind
      ? []
      : ([{ label: tree.rename, icon: 'pencil', hint: 'F2', onSelect: () => start('rename') }] as const)),
    ...(isOneOfAKind || (isRoot && !isAdministrator())
      ? []
      : ([{ label: tree.clone, icon: 'copy', onSelect: () => start('clone') }] as const)),
    ...(isRoot ? [] : ([{ label: tree.move, icon: 'move', onSelect: () => start('move') }] as const)),
    ...(isOneOfAKind || (isRoot && !isAdministrator())
      ? []
      : ([
          { label: tree.delete, icon: 'trash', isDanger: true, isApart: true, onSelect: () => start('delete') },
        ] as const)),
  ];
}
