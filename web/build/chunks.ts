/** What a module imports at once, by its id. */
export type Imports = (id: string) => readonly string[];

type Entries = {
  /** What strangers open: dashboards. */
  readonly view: string;
  readonly console: string;
  /** The first modules of the console's pages, by name. */
  readonly pages: Readonly<Record<string, string>>;
};

/** So many pages, more than half of them, share a module that comes with all of them; what fewer have would weigh on the others. */
const MANY = 8;

/** A file takes along what its modules import, so what more pages have is parted off first. */
export const CHUNK_ORDER = [/^shell-of-all$/, /^shell$/, /^pages-of-all$/, /^pages$/, /-of-all$/, /./] as const;

/**
 * In which file a module comes, so that a page is a handful of files and not forty: the shell's own, what several pages share, each with what dashboards
 * of strangers have of it apart.
 * @returns undefined: the module comes with what imports it
 */
export function chunkOf(imports: Imports, { view, console, pages }: Entries): (id: string) => string | undefined {
  const reachOf = (first: string): ReadonlySet<string> => {
    const reached = new Set([first]);
    for (const id of reached) for (const next of imports(id)) reached.add(next);
    return reached;
  };
  const ofView = reachOf(view);
  const ofShell = reachOf(console);
  const ofPages = Object.entries(pages).map(([name, first]) => ({ name, first, reached: reachOf(first) }));
  return (id) => {
    if (id === view || id === console || ofPages.some(({ first }) => first === id)) return undefined;
    const suffix = ofView.has(id) ? '-of-all' : '';
    if (ofShell.has(id)) return `shell${suffix}`;
    const users = ofPages.filter(({ reached }) => reached.has(id)).map(({ name }) => name);
    if (users.length >= MANY) return `pages${suffix}`;
    return users.length > 1 ? `${users.join('-')}${suffix}` : undefined;
  };
}
