export { accountRowLimit } from './clients/account-limits.ts';
export { pgDailyRows } from './store/pg-daily-rows.ts';
export { DailyLimits } from './usecases/daily-limits.ts';
export { type DayTimesDeps, dayTimes } from './usecases/day-times.ts';
