export { withBackendLogins } from './backend-login.ts';
export { ConfigError, EnvReader, envReader } from './env-reader.ts';
