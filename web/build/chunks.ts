/** Lists what a module imports at once, by its id. */
export type Imports = (id: string) => readonly string[];

type Entries = {
  /** Strangers open this part: dashboards. */
  readonly view: string;
  readonly console: string;
  /** The console's page runs this before all else, in a separate file. */
  readonly first: string;
  /** First module of each page. */
  readonly pages: Readonly<Record<string, string>>;
  /** One of these languages comes with the shell. */
  readonly words: readonly string[];
};

/** A module that this many pages share, more than half of them, comes with all of them; one that fewer have would weigh on the others. */
const MANY = 8;

/**
 * People begin with these pages: each comes in few files. What several of these have, and other pages too, is little, and comes with all
 * pages.
 */
const FIRST_PAGES: readonly string[] = ['overview', 'alarms', 'node'];

/** A file takes along what its modules import, so what more pages have is parted off first. */
export const CHUNK_ORDER = [
  /^first$/,
  /^shell-of-all$/,
  /^shell$/,
  /^pages-of-all$/,
  /^pages$/,
  /^with-/,
  /-of-all$/,
  /^(?!of-)/,
  /./,
] as const;

/**
 * Chooses the file in which a module comes, so that a page is a handful of files and not forty: the shell's, what several pages share, each
 * with what dashboards of strangers have of it apart.
 * @returns undefined: the module comes with what imports it
 */
export function chunkOf(
  imports: Imports,
  { view, console, first, pages, words }: Entries,
): (id: string) => string | undefined {
  const reachOf = (first: string): ReadonlySet<string> => {
    const reached = new Set([first]);
    for (const id of reached) for (const next of imports(id)) reached.add(next);
    return reached;
  };
  const ofView = reachOf(view);
  const ofShell = reachOf(console);
  const ofPages = Object.entries(pages).map(([name, first]) => ({ name, first, reached: reachOf(first) }));
  const ofWords = words.map(reachOf);
  const isOfLanguages = (id: string) => ofWords.filter((reached) => reached.has(id)).length > 1;
  return (id) => {
    if (id === first) return 'first';
    if (id === view || id === console || ofPages.some(({ first }) => first === id)) return undefined;
    const isOfAll = ofView.has(id);
    const suffix = isOfAll ? '-of-all' : '';
    if (ofShell.has(id) || isOfLanguages(id)) return `shell${suffix}`;
    const users = ofPages.filter(({ reached }) => reached.has(id)).map(({ name }) => name);
    if (users.length === 0) return undefined;
    // The parts lie apart from where the page begins: parts of it that come later may have some of it too.
    if (users.length === 1) return `of-${users[0]}`;
    const firstUsers = users.filter((name) => FIRST_PAGES.includes(name));
    // A module that the first pages alone share may be large, such as charts.
    const isOfOthers = users.length > firstUsers.length;
    if (users.length >= MANY || (isOfOthers && firstUsers.length > 1)) return `pages${suffix}`;
    if (isOfOthers && firstUsers.length === 1) return isOfAll ? 'pages-of-all' : `with-${firstUsers[0]}`;
    return `${users.join('-')}${suffix}`;
  };
}
