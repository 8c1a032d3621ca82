export { startSending } from './bus/readers.ts';
export { httpSmsSender } from './clients/http-sms-sender.ts';
export { readSmsSettings } from './clients/sms-settings.ts';
export { monthOf, smsLimitOf } from './domain/sms-limit.ts';
export { WRITTEN_MESSAGE } from './domain/written-message.ts';
export { forgetSent } from './store/pg-sent.ts';
export { limitMail } from './usecases/limit-mails.ts';
export type { NoticeDeps } from './usecases/load-notice.ts';
export { sendMessage } from './usecases/send-message.ts';
