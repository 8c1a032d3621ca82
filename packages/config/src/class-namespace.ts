import type { EnvReader } from './env-reader.ts';

/** Prefix of every `_class` of the documented API. */
export const DEFAULT_CLASS_NAMESPACE = 'io.svc';

/** Every `_class` begins with `CLASS_NAMESPACE`, in and out. */
export const readClassNamespace = (read: EnvReader): string =>
  read.text('CLASS_NAMESPACE', {
    fallback: DEFAULT_CLASS_NAMESPACE,
    pattern: /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/,
    rule: 'must be names with dots between them, each of letters, digits and _',
  });
