export { ConfigError, EnvReader, envReader } from './env-reader.ts';
