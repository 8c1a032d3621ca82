export { startSending } from './bus/readers.ts';
export { forgetSent } from './store/pg-sent.ts';
export { HELD_BACK, heldBackMail } from './usecases/held-back-mail.ts';
export type { SendDeps } from './usecases/send-email.ts';
