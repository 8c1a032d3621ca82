import type { Database } from '@catchment/pg';
import { beginTry, dropOld, endTry, insertRequest, markDone } from './store/pg-keyed-requests.ts';
import { requestsHandlers as handlersOf } from './transport/requests-handlers.ts';
import { forgetRequests as forget } from './usecases/begin-request.ts';
import { markTransactions as mark } from './usecases/mark-transactions.ts';

const requests = { insertRequest, beginTry, endTry, dropOld };

type RequestDeps = { readonly database: Database };

export const requestsHandlers = ({ database }: RequestDeps) => handlersOf({ database, requests });
/** Forgets answers that are over their time. */
export const forgetRequests = ({ database }: RequestDeps) => forget({ database, requests });
/** Each transaction of a request with a key notes, as a part of it, that the request is carried out. */
export const markTransactions = mark.bind(undefined, markDone);
