import { PERMISSIONS } from '@catchment/access';
import { accessOf, type PersonAccess, unionOf } from './access.ts';

const entry = (role: string, ...permissions: string[]) => ({ role, permissions, expiresMs: null });
const group = (isClosed: boolean, ...permissions: string[]) => ({ permissions, isClosed });
const nobody: PersonAccess = { standing: null, own: null, isClosed: false, groups: [] };
const VIEW = entry('View', 'VIEW');
const ALL = [...PERMISSIONS, 'OWNER'];

test.each([
  ['the owner', { standing: 'OWNER' }, 'OWNER', ALL, ALL],
  ['an administrator', { standing: 'ADMINISTRATOR' }, 'ADMINISTRATOR', PERMISSIONS, PERMISSIONS],
  [
    'an administrator with No Access',
    { standing: 'ADMINISTRATOR', isClosed: true },
    'ADMINISTRATOR',
    PERMISSIONS,
    PERMISSIONS,
  ],
  ['an account manager', { standing: 'MANAGER' }, 'ADMINISTRATOR', PERMISSIONS, PERMISSIONS],
  ['nobody in particular', {}, '', [], []],
  ['an own entry', { own: VIEW }, 'View', ['VIEW'], ['VIEW']],
  ['an own entry whose role is gone', { own: entry('', 'VIEW') }, '', ['VIEW'], ['VIEW']],
  ['a group', { groups: [group(false, 'VIEW', 'CONTROL')] }, '', [], ['VIEW', 'CONTROL']],
  [
    'own entry and groups together',
    { own: VIEW, groups: [group(false, 'CONTROL'), group(false, 'EDIT_DATA')] },
    'View',
    ['VIEW'],
    ['VIEW', 'EDIT_DATA', 'CONTROL'],
  ],
  ['No Access over an own entry', { own: VIEW, isClosed: true }, 'No Access', [], []],
  [
    'No Access over an own entry and a group',
    { own: VIEW, isClosed: true, groups: [group(false, 'CONTROL')] },
    'No Access',
    [],
    [],
  ],
  ['No Access of the only group', { groups: [group(true, 'VIEW')] }, '', [], []],
  [
    'No Access of one of two groups',
    { groups: [group(true, 'VIEW'), group(false, 'CONTROL')] },
    '',
    [],
    ['VIEW', 'CONTROL'],
  ],
  [
    'No Access of every group beside an own entry',
    { own: VIEW, groups: [group(true, 'CONTROL')] },
    'View',
    ['VIEW'],
    ['VIEW', 'CONTROL'],
  ],
  [
    'No Access of the person beside an open group',
    { isClosed: true, groups: [group(false, 'VIEW')] },
    'No Access',
    [],
    [],
  ],
  [
    'No Access of one who configures',
    { own: entry('C', 'VIEW', 'CONFIGURE'), isClosed: true },
    'C',
    ['VIEW', 'CONFIGURE'],
    ['VIEW', 'CONFIGURE'],
  ],
  [
    'No Access of one who configures by a group',
    { own: VIEW, isClosed: true, groups: [group(true, 'CONFIGURE')] },
    'View',
    ['VIEW'],
    ['VIEW', 'CONFIGURE'],
  ],
] as [string, Partial<PersonAccess>, string, readonly string[], readonly string[]][])(
  '%s',
  (_what, access, role, permissions, effective) => {
    expect(accessOf({ ...nobody, ...access })).toEqual({ role, permissions, effective });
  },
);

test('permissions of several sets stand once, in the order of the table', () => {
  expect(unionOf([['CONTROL', 'VIEW'], [], ['VIEW', 'EDIT_DATA']])).toEqual(['VIEW', 'EDIT_DATA', 'CONTROL']);
});
