export { contactsOfPeers } from './clients/contacts.ts';
export { stateSentence } from './domain/sentences.ts';
export { diagnosisHandlers } from './transport/diagnosis-handlers.ts';
export { type DiagnosisDeps, diagnosisOf } from './usecases/get-diagnosis.ts';
