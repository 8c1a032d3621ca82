import { lexer, type Token, walkTokens } from 'marked';

/** @param target as the document has it: a page, a heading or both, or a place elsewhere */
type Link = { readonly target: string; readonly line: number };

/** Addresses in HTML: `<a href="x.md">`, `<img src=x.png>`. */
const ADDRESSES = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const TAGS = /<[a-z][^>]*>/gi;
const COMMENTS = /<!--[\s\S]*?-->/g;
/** A link `[text][name]` stays a text where the document has no `[name]: target`; `table[0][1]` is none. */
const UNDEFINED = /(?<![\w\]])\[[^[\]]+\]\[(?:[a-z][^[\]]*)?\]/gi;

/**
 * Returns links and images, those in HTML included, and names in links that the document does not define. Code has none, and a link by a
 * name has its target where the name is defined.
 */
export function linksOf(markdown: string): { links: Link[]; undefinedNames: Link[] } {
  const links: Link[] = [];
  const undefinedNames: Link[] = [];
  let line = 1;
  for (const block of lexer(markdown)) {
    let from = 0;
    walkTokens([block], (token) => {
      const at = block.raw.indexOf(token.raw, from);
      if (at >= 0 && isLink(token)) from = at + 1;
      const found = (target: string): Link => ({ target, line: line + linesIn(block.raw.slice(0, Math.max(at, 0))) });
      links.push(...targetsOf(token).map(found));
      if (token.type === 'text' && !token.tokens)
        undefinedNames.push(...[...token.raw.matchAll(UNDEFINED)].map(([name]) => found(name)));
    });
    line += linesIn(block.raw);
  }
  return { links, undefinedNames };
}

const isLink = ({ type }: Token): boolean => type === 'link' || type === 'image' || type === 'html' || type === 'def';
const linesIn = (text: string): number => text.split('\n').length - 1;

function targetsOf(token: Token): string[] {
  if (token.type === 'def') return [token.href];
  // A link by a name ends with a bracket.
  if (token.type === 'link' || token.type === 'image') return token.raw.endsWith(']') ? [] : [token.href];
  if (token.type !== 'html') return [];
  const tags = token.raw.replaceAll(COMMENTS, '').match(TAGS) ?? [];
  return tags.flatMap((tag: string) =>
    [...tag.matchAll(ADDRESSES)].map(([, double, single, bare]) => double ?? single ?? bare ?? ''),
  );
}

/**
 * Returns headings as GitHub makes them: lower case, without punctuation, blanks as hyphens, a number for one that
 * comes again.
 */
export function headingsOf(markdown: string): ReadonlySet<string> {
  const headings = new Set<string>();
  walkTokens(lexer(markdown), (token) => {
    if (token.type !== 'heading') return;
    const slug = textOf(token)
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = slug;
    for (let n = 1; headings.has(unique); n += 1) unique = `${slug}-${n}`;
    headings.add(unique);
  });
  return headings;
}

const textOf = (token: Token): string =>
  'tokens' in token && token.tokens ? token.tokens.map(textOf).join('') : 'text' in token ? String(token.text) : '';
