import { type Bus, decoded } from '@catchment/bus';
import { AccountChanged } from '@catchment/contracts/nodes-messages';
import { invalid } from '@catchment/errors';
import { ACCOUNT_STATUSES, type WebhookAccounts } from '../usecases/ports.ts';

/** Follows which accounts are disabled, enabled and deleted. */
export const readAccounts = (bus: Bus, webhooks: WebhookAccounts): { stop(): Promise<void> } =>
  bus.readDomain('events-accounts', async (messages) => {
    for (const message of messages) {
      const { ownerId, status } = decoded(AccountChanged, message);
      const known = ACCOUNT_STATUSES.find((accountStatus) => accountStatus === status);
      if (!known) throw invalid('MESSAGE_UNREADABLE', `status: must be one of ${ACCOUNT_STATUSES.join(', ')}`);
      await webhooks.followAccount(ownerId, known);
    }
  });
