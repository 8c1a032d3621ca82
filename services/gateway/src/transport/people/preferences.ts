import type { Peers } from '../../usecases/ports.ts';
import { changed, document, SUCCESS } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { forPeople } from '../routing/session-call.ts';
import * as docs from './people-docs.ts';

/**
 * A person keeps preferences in an account. They are for sessions only: a key belongs to a program, and a person who
 * may make keys for a profile must not change what its person sees.
 */
export function preferenceRoutes({ people }: Peers): RouteTable {
  return {
    '/users/me/preferences': {
      GET: {
        schema: docs.listPreferences,
        answer: forPeople(async ({ options }) => document((await people.listPreferences({}, options)).json)),
      },
    },
    '/users/me/preferences/:preference': {
      GET: {
        schema: docs.getPreference,
        answer: forPeople(async ({ preference: key, options }) =>
          document((await people.getPreference({ key }, options)).json),
        ),
      },
      PUT: {
        schema: docs.putPreference,
        body: 'json',
        answer: forPeople(async ({ preference: key, body: value, options }) =>
          changed((await people.putPreference({ key, value }, options)).json),
        ),
      },
      DELETE: {
        schema: docs.deletePreference,
        answer: forPeople(async ({ preference: key, options }) => {
          await people.deletePreference({ key }, options);
          return SUCCESS;
        }),
      },
    },
  };
}
