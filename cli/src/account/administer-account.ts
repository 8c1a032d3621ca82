import {
  type DeleteAccountResponse,
  OwnersServiceService,
  type UpdateAccountRequest,
  type UpdateAccountResponse,
} from '@catchment/contracts/owners';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';

type Connection = { readonly nodesAddress: string; readonly serviceTokenSecret: string };

/** Deleting a large account takes its time; begun again it goes on where it was. */
const DELETE_MS = 10 * 60_000;

/** Changes an account; absent attributes stay. */
export const updateAccount = (connection: Connection, change: UpdateAccountRequest): Promise<UpdateAccountResponse> =>
  withOwners(connection, (owners, token) => owners.updateAccount(change, { token }));

/** Deletes an account with everything in it. */
export const deleteAccount = (connection: Connection, account: string): Promise<DeleteAccountResponse> =>
  withOwners(connection, (owners, token) => owners.deleteAccount({ account }, { token, timeoutMs: DELETE_MS }));

async function withOwners<T>(
  { nodesAddress, serviceTokenSecret }: Connection,
  work: (owners: ReturnType<typeof connect>, token: string) => Promise<T>,
): Promise<T> {
  const owners = connect(nodesAddress);
  try {
    return await work(owners, await new CallerSigner(serviceTokenSecret).sign({ kind: 'service', service: 'cli' }));
  } finally {
    owners.close();
  }
}

const connect = (address: string) => createGrpcClient(OwnersServiceService, address);
