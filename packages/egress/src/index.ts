export { readRanges } from './addresses.ts';
export { allowedRanges } from './allowed-ranges.ts';
export { Egress } from './egress.ts';
export { failureWords } from './failure-words.ts';
export { AddressRefused, nameServers, type ResolveHost } from './guarded-lookup.ts';
export {
  Allowance,
  HEADERS_MAX_BYTES,
  LimitReached,
  type Limits,
  REDIRECTS_MAX,
  REMOTE_LIMITS,
  type RemoteLimits,
} from './remote-limits.ts';
export { textWithin } from './text-within.ts';
