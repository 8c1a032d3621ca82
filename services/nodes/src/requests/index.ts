export { requestsHandlers } from './transport/requests-handlers.ts';
export { forgetRequests } from './usecases/begin-request.ts';
export { markTransactions } from './usecases/mark-transactions.ts';
