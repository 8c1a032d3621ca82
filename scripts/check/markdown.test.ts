import { headingsOf } from './markdown.ts';

test.each([
  [
    'in lower case, without punctuation, numbered where one comes again',
    '# Too large, or too slow\n## `attr`\n## notifyOn\n## notifyOn\n',
    ['too-large-or-too-slow', 'attr', 'notifyon', 'notifyon-1'],
  ],
  ['by the text of their links', '## See [the chart](chart.md)\n', ['see-the-chart']],
  ['where a line under them makes them headings', 'Charts\n===\n', ['charts']],
  ['but not in code', '```sh\n# no heading\n```\n', []],
])('headings are named as GitHub names them: %s', (_what, markdown, names) => {
  expect([...headingsOf(markdown)]).toEqual(names);
});
