import { deletePreferencesOf, savePreferences, switchOffEmail } from './store/pg-preferences.ts';
import { deleteSubscriptions, insertSubscriptions, resumeReports, stopReport } from './store/pg-subscriptions.ts';
import * as set from './usecases/set-preferences.ts';
import * as stop from './usecases/stop-emails.ts';
import * as change from './usecases/subscriptions.ts';

export {
  changePreferences,
  type GivenPreference,
  PREFERENCES,
  type Preference,
  readPreferences,
} from './domain/notification-preference.ts';
export { UnsubscribeLinks } from './domain/unsubscribe-links.ts';
export { deletePreferencesOf, savePreferences } from './store/pg-preferences.ts';
export { countPreferencesOf } from './store/preferences-query.ts';
export { getNotifications } from './usecases/get-notifications.ts';
export { viewersOf } from './usecases/notification-people.ts';
export { getOwnNotifications, listEnabledCategories, type OwnDeps } from './usecases/own-notifications.ts';
export type { StopDeps } from './usecases/stop-emails.ts';

const preferences = { savePreferences, switchOffEmail, deletePreferencesOf };
const subscriptions = { insertSubscriptions, deleteSubscriptions, resumeReports, stopReport };

export const setPreferences = set.setPreferences.bind(undefined, preferences);
export const stopEmails = stop.stopEmails.bind(undefined, { ...preferences, ...subscriptions });
export const subscribe = change.subscribe.bind(undefined, subscriptions);
export const unsubscribe = change.unsubscribe.bind(undefined, subscriptions);
