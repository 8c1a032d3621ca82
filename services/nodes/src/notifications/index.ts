export {
  changePreferences,
  type GivenPreference,
  PREFERENCES,
  readPreferences,
} from './domain/notification-preference.ts';
export { UnsubscribeLinks } from './domain/unsubscribe-links.ts';
export { countPreferencesOf, deletePreferencesOf, enabledCategories, savePreferences } from './store/pg-preferences.ts';
export { getNotifications } from './usecases/get-notifications.ts';
export { viewersOf } from './usecases/notification-people.ts';
export { getOwnNotifications, type OwnDeps } from './usecases/own-notifications.ts';
export { setPreferences } from './usecases/set-preferences.ts';
export { type StopDeps, stopEmails } from './usecases/stop-emails.ts';
export { subscribe, unsubscribe } from './usecases/subscriptions.ts';
