export { withBackendLogins } from './backend-login.ts';
export { connectionAgeMs } from './connection-age.ts';
export { ConfigError, EnvReader, envReader } from './env-reader.ts';
