// This runs while the image is built: `node main.ts FOLDER` writes sbom.cdx.json (CycloneDX 1.5) and licences.txt there, of all that is in
// the image. FOLDER has npm.cdx.json, what `npm sbom` lists of its packages.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledComponents, type Component, DPKG_FORMAT, debianComponents, licenceLines } from './components.ts';

const APP = '/app';
const [folder = '.'] = process.argv.slice(2);
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const npm = readJson(path.join(folder, 'npm.cdx.json')) as {
  components: Component[];
  metadata: { component: Component };
};
const copyrightOf = (name: string): string => {
  const file = `/usr/share/doc/${name}/copyright`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const dpkg = execFileSync('dpkg-query', ['--show', `--showformat=${DPKG_FORMAT}`], { encoding: 'utf8' });
const nodeVersion = process.versions.node;
const node: Component = {
  type: 'platform',
  name: 'node',
  version: nodeVersion,
  licenses: [{ license: { id: 'MIT' } }],
  'bom-ref': `pkg:generic/node@${nodeVersion}`,
  purl: `pkg:generic/node@${nodeVersion}`,
};
/** Vite writes this of the libraries in the pages. */
const pagesFile = path.join(APP, 'web/dist/.vite/licences.json');
const pages = (existsSync(pagesFile) ? readJson(pagesFile) : []) as {
  name: string;
  version: string;
  identifier: string;
}[];
const fonts = readJson(path.join(APP, 'services/render/fonts/fonts.json')) as {
  package: string;
  version: string;
  licence: string;
}[];
const components = [
  // Our own are the application itself.
  ...npm.components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40catchment/')),
  ...bundledComponents(
    'pages',
    pages.map(({ identifier, ...rest }) => ({ ...rest, licence: identifier })),
  ),
  ...bundledComponents(
    'fonts',
    fonts.map(({ package: name, ...rest }) => ({ ...rest, name })),
  ),
  node,
  ...debianComponents(dpkg, copyrightOf),
];
const component = { ...npm.metadata.component, type: 'container', name: 'catchment' };
const metadata = { timestamp: new Date().toISOString(), component };
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${randomUUID()}`,
  version: 1,
  metadata,
  components,
};
writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom)}\n`);
writeFileSync(path.join(folder, 'licences.txt'), licenceLines(components));
process.stdout.write(`${components.length} components\n`);
