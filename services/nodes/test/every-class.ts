import { ALL_CLASSES } from '../src/domain/classes/class-table.ts';
import type { Fixture, Json } from './fixture.ts';

type Api = Awaited<ReturnType<Fixture['account']>>;

/** Makes one node of every class, by the last part of its class, under one Location or Workspace. */
export async function everyClass(api: Api): Promise<Map<string, Json>> {
  const made = new Map<string, Json>();
  const short = (name: string) => name.split('.').at(-1)!;
  const add = async (name: string, parent?: string) => {
    const parentId = parent && made.get(parent)!._id;
    const node =
      name === 'Attachment' && parentId
        ? await api.upload(parentId, Buffer.from('bytes'), 'Attachment')
        : await api.create(name, short(name), parentId);
    made.set(short(name), node);
  };
  await add('Workspace');
  await add('Templates');
  await add('Group', 'Workspace');
  await add('location.Location', 'Group');
  const rest = ALL_CLASSES.filter(({ name }) => !made.has(short(name)));
  for (const { name } of rest.filter(({ kind }) => kind !== 'parameter')) await add(name, 'Location');
  for (const { name } of rest.filter(({ kind }) => kind === 'parameter')) await add(name, 'Jts');
  return made;
}
