import { Client } from '@catchment/client';

export { newKey } from '@catchment/client';

import { send } from './send.ts';

/** The page has this one client: the public API, with the person's session. */
export const client = new Client({ url: location.origin, fetch: send, retry: { maxWaitSeconds: 30 } });
