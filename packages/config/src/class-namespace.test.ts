import { envReader, readClassNamespace } from './index.ts';

const namespaceOf = (env: Record<string, string>) => {
  const read = envReader(env);
  const namespace = readClassNamespace(read);
  read.done();
  return namespace;
};

test.each([
  [{}, 'io.svc'],
  [{ CLASS_NAMESPACE: '' }, 'io.svc'],
  [{ CLASS_NAMESPACE: 'com.example.sensors_2' }, 'com.example.sensors_2'],
  [{ CLASS_NAMESPACE: 'x' }, 'x'],
] as [Record<string, string>, string][])('%j is %s', (env, namespace) => {
  expect(namespaceOf(env)).toBe(namespace);
});

test.each(["a'b", 'a..b', '.a', 'a.', '1.a', 'a b', 'a/b', 'a-b'])('"%s" is refused', (namespace) => {
  expect(() => namespaceOf({ CLASS_NAMESPACE: namespace })).toThrow('CLASS_NAMESPACE must be names with dots');
});
