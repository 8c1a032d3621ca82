/** A package in package-lock.json. */
type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};
export type Lock = { readonly packages: Readonly<Record<string, Locked>> };
export type ImagePackage = { readonly name: string; readonly version: string; readonly licence: string | undefined };

/** The image is made from these (deploy/Dockerfile); the packages that build the pages of web are for development. */
const IN_IMAGE = /^(?:packages\/(?!testkit$)[^/]+|services\/[^/]+|cli|sdk\/typescript|web)$/;

/** Lists the packages of others that the processes of the image and its pages may load: all that its workspaces need, development apart. */
export function imagePackages({ packages }: Lock): ImagePackage[] {
  const found = new Set<string>();
  const visit = (place: string): void => {
    const locked = packages[place];
    if (!locked || found.has(place)) return;
    found.add(place);
    if (locked.link) return;
    for (const name of Object.keys({
      ...locked.peerDependencies,
      ...locked.optionalDependencies,
      ...locked.dependencies,
    })) {
      const needed = placeOf(packages, place, name);
      if (needed !== undefined) visit(needed);
    }
  };
  for (const place of Object.keys(packages)) if (IN_IMAGE.test(place)) visit(place);
  return [...found]
    .filter((place) => place.includes('node_modules/') && !packages[place]?.link)
    .map((place) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[place]?.version ?? '',
      licence: packages[place]?.license,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds where Node finds a package that another one asks for: beside it, or in the folders above. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; ) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above >= 0 ? folder.slice(0, above) : '';
  }
}
