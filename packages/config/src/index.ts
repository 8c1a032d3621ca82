export { withBackendLogins } from './backend-login.ts';
export { DEFAULT_CLASS_NAMESPACE, readClassNamespace } from './class-namespace.ts';
export { ConfigError, EnvReader, envReader } from './env-reader.ts';
