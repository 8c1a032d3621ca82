import { chartReadme, documentedValues } from './chart-readme.ts';

const YAML = `# About the file.

# -- A text
name: ""
# Only a remark.
part:
  # -- How many, a|b,
  # in two lines
  count: 3
  inner:
    # -- Names
    names: [a]
# -- Requests
resources:
  requests: { cpu: 1 }
`;

test('every value with its comment, type and default; a documented map is one value', () => {
  expect(documentedValues(YAML)).toEqual({
    rows: [
      { key: 'name', type: 'string', fallback: '`""`', text: 'A text' },
      { key: 'part.count', type: 'number', fallback: '`3`', text: 'How many, a|b, in two lines' },
      { key: 'part.inner.names', type: 'list', fallback: '`["a"]`', text: 'Names' },
      { key: 'resources', type: 'map', fallback: '`{"requests":{"cpu":1}}`', text: 'Requests' },
    ],
    undocumented: [],
  });
});

test('values without a comment are listed', () => {
  expect(documentedValues('a:\n  # not for people\n  b: 1\nc: 2\n').undocumented).toEqual(['a.b', 'c']);
});

test('the page is head and table, its cells kept whole', () => {
  expect(chartReadme('# Chart\n\n', '# -- x|y\na: 1\n')).toBe(
    '# Chart\n\n## Values\n\n| value | type | default | meaning |\n|---|---|---|---|\n| `a` | number | `1` | x\\|y |\n',
  );
});
