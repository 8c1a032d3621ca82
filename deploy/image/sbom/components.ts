/** We use this part of CycloneDX 1.5. */
type Licence = { readonly license: { readonly id?: string; readonly name?: string } } | { readonly expression: string };
export type Component = {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly Licence[];
};

/** `dpkg-query --show --showformat` takes this: a line for each package. */
export const DPKG_FORMAT = `${['Package', 'Version', 'Architecture', 'db:Status-Status'].map((field) => `$\{${field}}`).join('\\t')}\\n`;

/**
 * Debian's packages.
 * @param printed in DPKG_FORMAT
 * @param copyrightOf text of `/usr/share/doc/<package>/copyright`; empty where there is none
 */
export function debianComponents(printed: string, copyrightOf: (name: string) => string): Component[] {
  return printed
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , , status]) => status === 'installed')
    .map(([name = '', version = '', architecture = '']) => {
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
      const licenses = licencesOf(copyrightOf(name)).map((licence) => ({ license: { name: licence } }));
      return { type: 'library', 'bom-ref': purl, name, version, purl, licenses };
    });
}

/** The short names of a copyright file in Debian's machine-readable form; of others none, people read those. */
export function licencesOf(copyright: string): string[] {
  if (!/^Format:/m.test(copyright)) return [];
  const named = [...copyright.matchAll(/^License:[ \t]*(\S.*)$/gm)].map(([, name = '']) => name.trim());
  return [...new Set(named)].sort();
}

/** The image has a part of this package that npm did not install: code in the pages, or a font. */
type Bundled = { readonly name: string; readonly version: string; readonly licence: string | undefined };
export const bundledComponents = (where: 'pages' | 'fonts', bundled: readonly Bundled[]): Component[] =>
  bundled.map(({ name, version, licence }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return {
      type: 'library',
      'bom-ref': `${where}:${purl}`,
      name,
      version,
      purl,
      licenses: licence === undefined ? [] : [{ license: { id: licence } }],
    };
  });

/** Writes the list for people: a line for each component. */
export function licenceLines(components: readonly Component[]): string {
  const lines = components.map(({ name, version, purl, licenses }) => {
    const texts = licenses.map((license) =>
      'expression' in license ? license.expression : (license.license.id ?? license.license.name ?? ''),
    );
    const kind = purl.slice('pkg:'.length, purl.indexOf('/'));
    return [kind, name, version, texts.join(', ') || 'see its copyright file'].join('\t');
  });
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}
