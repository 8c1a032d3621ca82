import { bundledComponents, debianComponents, licenceLines, licencesOf } from './components.ts';

const COPYRIGHT = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Files: *
License: LGPL-2.1+
 text of it

License: GPL-2+
License: LGPL-2.1+
`;
const DPKG = 'libc6\t2.36-9+deb12u9\tamd64\tinstalled\nold\t1:2.0~rc1\tall\tconfig-files\nbase\t12\tall\tinstalled\n';

test('Debian packages that are installed, with what their copyright files name', () => {
  expect(debianComponents(DPKG, (name) => (name === 'libc6' ? COPYRIGHT : 'Written by somebody.'))).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u9?arch=amd64',
      name: 'libc6',
      version: '2.36-9+deb12u9',
      purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u9?arch=amd64',
      licenses: [{ license: { name: 'GPL-2+' } }, { license: { name: 'LGPL-2.1+' } }],
    },
    expect.objectContaining({ name: 'base', licenses: [] }),
  ]);
});

test('a copyright file of another form names nothing', () => {
  expect(licencesOf('License: GPL\n')).toEqual([]);
  expect(licencesOf('')).toEqual([]);
});

test('the list has a line for each component, whatever form its licence has', () => {
  const [base] = debianComponents('base\t12\tall\tinstalled\n', () => '');
  const pages = bundledComponents('pages', [{ name: '@preact/signals', version: '2.0.0', licence: 'MIT' }]);
  const fonts = bundledComponents('fonts', [{ name: '@fonts/arimo', version: '1.0.0', licence: 'OFL-1.1' }]);
  const either = { ...pages[0], name: 'either', licenses: [{ expression: '(MIT OR CC0-1.0)' }] };
  expect(licenceLines([...(base ? [base] : []), ...pages, ...fonts, either as (typeof pages)[number]])).toBe(
    'deb\tbase\t12\tsee its copyright file\nnpm\t@fonts/arimo\t1.0.0\tOFL-1.1\nnpm\t@preact/signals\t2.0.0\tMIT\nnpm\teither\t2.0.0\t(MIT OR CC0-1.0)\n',
  );
});
