import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';
import { lineOf } from '../../nodes/index.ts';
import { accessOf, type Place, peopleOf, type WorkspacePerson } from '../../rights/index.ts';

/** Returns the people who may see a node: people with No Access on it or above it are left out. */
export async function viewersOf(on: Queryable, place: Omit<Place, 'nodeIds'>, nodeId: string) {
  const nodeIds = (await lineOf(on, nodeId)).map((step) => step.nodeId);
  const people = await peopleOf(on, { ...place, nodeIds });
  return people.filter((person) => accessOf(person).effective.includes('VIEW'));
}

/** Finds valid users of a workspace by e-mail (docs/reference/notifications.md#subscriptions-and-preferences): whoever has access to it. */
export async function validUsers(on: Queryable, place: Place): Promise<ReadonlyMap<string, WorkspacePerson>> {
  return new Map((await peopleOf(on, place)).map((person) => [person.email, person]));
}

/** @throws DomainError invalid_argument */
export function validUser(
  users: ReadonlyMap<string, WorkspacePerson>,
  { at, email }: { at: string; email: string },
): WorkspacePerson {
  const person = users.get(email);
  if (!person) throw invalidAttribute(`${at}.user`, 'must be a user with access to the Workspace');
  return person;
}
