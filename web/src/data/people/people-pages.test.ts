import { type AccessPage, NOTHING, withPage } from './people-pages.ts';

type Page = AccessPage<
  { readonly contact: { readonly email: string }; readonly role: string | null },
  { readonly group: string; readonly size: number },
  string
>;
const person = (email: string, role: string | null = null) => ({ contact: { email }, role });

test('pages of Workspaces make one: who is in several of them is there once, as the last one has it', () => {
  const first: Page = {
    people: [person('jo'), person('sam')],
    groups: [{ group: 'Crew', size: 0 }],
    workspaces: ['a'],
    next: 1,
  };
  const second: Page = {
    people: [person('jo', 'OWNER')],
    groups: [{ group: 'Crew', size: 1 }],
    workspaces: ['b'],
    next: null,
  };
  expect(withPage(withPage<Page['people'][number], Page['groups'][number], string>(NOTHING, first), second)).toEqual({
    people: [person('sam'), person('jo', 'OWNER')],
    groups: [{ group: 'Crew', size: 1 }],
    workspaces: ['a', 'b'],
    next: null,
  });
});
