export { leastUsageOf, nodeUsage, usageDocument } from './domain/usage.ts';
export { countsBySize } from './store/source-sizes.ts';
export { readUse } from './store/usage-query.ts';
export { limitsHandlers } from './transport/limits-handlers.ts';
export { checkSourceLimit, checkUsage } from './usecases/check-source-limit.ts';
export { getOwnLimits, getUsageOfNodes } from './usecases/read-usage.ts';
