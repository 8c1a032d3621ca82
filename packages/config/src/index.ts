export { requestMaxSeconds, responseMaxBytes, responseMaxFields } from './answer-limits.ts';
export { withBackendLogins } from './backend-login.ts';
export { DEFAULT_CLASS_NAMESPACE, readClassNamespace } from './class-namespace.ts';
export { connectionAgeMs } from './connection-age.ts';
export { CONFIG_REFUSED, ConfigError, EnvReader, envReader } from './env-reader.ts';
export { INGEST_PARTITIONS } from './ingest-partitions.ts';
export { ownLogins, serviceEnvironment, settingOf } from './service-environment.ts';
export { STOP_WAVES } from './stop-waves.ts';
export { WEB, webAddresses } from './web-addresses.ts';
