import {
  AccountsServiceService,
  type CreateAccountRequest,
  type CreateAccountResponse,
} from '@catchment/contracts/nodes';
import { CallerSigner, createGrpcClient } from '@catchment/grpc';

/** Creates an account with its owner and two keys, which are shown this once. */
export async function createAccount(
  connection: { nodesAddress: string; serviceTokenSecret: string },
  account: CreateAccountRequest,
): Promise<CreateAccountResponse> {
  const client = createGrpcClient(AccountsServiceService, connection.nodesAddress);
  try {
    const token = await new CallerSigner(connection.serviceTokenSecret).sign({ kind: 'service', service: 'cli' });
    return await client.createAccount(account, { token });
  } finally {
    client.close();
  }
}
