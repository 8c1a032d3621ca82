import { serviceCaller } from '@catchment/access';
import type { CallContext } from '@catchment/grpc';
import type { Contact } from '../domain/contact.ts';
import type { HandOverDeps } from './hand-over-file.ts';

/** Returns what is known of the contacts of a source. @throws DomainError permission_denied unless nodes asks */
export async function getContact(
  { store }: Pick<HandOverDeps, 'store'>,
  { ownerId, sourceId }: { readonly ownerId: string; readonly sourceId: string },
  { caller }: Pick<CallContext, 'caller'>,
): Promise<Contact> {
  serviceCaller(caller, 'nodes');
  return store.contactOf(ownerId, sourceId);
}
