/** This text stands for a secret that is set. */
export const HIDDEN = '********';

/** AUTH(slug, key) of a program names an account whose nodes it may read, and with which API key. */
type AuthGrant = { readonly slug: string; readonly key: string };

/** Returns a letter of a name as programs may write it: `A`, `\u0041`, `\u{41}`. */
const letter = (char: string): string => {
  const hex = char.charCodeAt(0).toString(16);
  return `(?:${char}|\\\\u00${hex}|\\\\u\\{0*${hex}\\})`;
};
const NAME = new RegExp(`(?<![\\p{ID_Continue}$])${[...'AUTH'].map(letter).join('')}`, 'gu');
/** Matches a text that is read here as the program reads it. */
const TEXT = /'[^'\\\n\r]*'|"[^"\\\n\r]*"|`[^`\\$\n\r]*`/y;
const MAX_CALLS = 100;

/** A call wherever it stands, so that no key is shown that a program has in a comment. */
type Call = { readonly literal: (AuthGrant & { readonly keyBegin: number }) | undefined };

/** Finds all calls of AUTH; those whose arguments are no plain texts have no literal. It stops one past what is allowed. */
function callsOf(code: string): Call[] {
  const calls: Call[] = [];
  // Most programs have none: their text is not looked through.
  if (!/AUTH|\\u/.test(code)) return calls;
  for (const name of code.matchAll(NAME)) {
    let at = afterSpace(code, name.index + name[0].length);
    if (code.startsWith('?.', at)) at = afterSpace(code, at + 2);
    if (code[at] !== '(') continue;
    calls.push({ literal: literalAt(code, at + 1) });
    if (calls.length > MAX_CALLS) break;
  }
  return calls;
}

function literalAt(code: string, begin: number): Call['literal'] {
  const slug = textAt(code, afterSpace(code, begin));
  if (!slug || code[slug.next] !== ',') return undefined;
  const key = textAt(code, afterSpace(code, slug.next + 1));
  if (!key) return undefined;
  const end = code[key.next] === ',' ? afterSpace(code, key.next + 1) : key.next;
  return code[end] === ')' ? { slug: slug.text, key: key.text, keyBegin: key.begin } : undefined;
}

function textAt(code: string, at: number): { text: string; begin: number; next: number } | undefined {
  TEXT.lastIndex = at;
  const [quoted] = TEXT.exec(code) ?? [];
  return quoted === undefined
    ? undefined
    : { text: quoted.slice(1, -1), begin: at + 1, next: afterSpace(code, at + quoted.length) };
}

/** Finds where the next token begins. */
function afterSpace(code: string, from: number): number {
  for (let at = from; ; ) {
    if (/\s/.test(code[at] ?? '')) at += 1;
    else if (code.startsWith('//', at)) at = endOf(code, /[\n\r\u2028\u2029]/g, at);
    else if (code.startsWith('/*', at)) at = endOf(code, /\*\//g, at + 2);
    else return at;
  }
}

function endOf(code: string, mark: RegExp, from: number): number {
  mark.lastIndex = from;
  return mark.test(code) ? mark.lastIndex : code.length;
}

function mapKeys(code: string, map: (grant: AuthGrant) => string): string {
  let [result, done] = ['', 0];
  for (const { literal } of callsOf(code)) {
    if (!literal) continue;
    result += code.slice(done, literal.keyBegin) + map(literal);
    done = literal.keyBegin + literal.key.length;
  }
  return result + code.slice(done);
}

/** In the order of the text. */
export const authGrants = (code: string): AuthGrant[] =>
  callsOf(code).flatMap(({ literal }) => (literal ? [{ slug: literal.slug, key: literal.key }] : []));

/** Returns a program as it is shown: without the keys of AUTH (docs/reference/processing-and-ratings.md#other-accounts). */
export const maskKeys = (code: string): string => mapKeys(code, ({ key }) => (key === '' ? key : HIDDEN));

/** Returns the key that a masked one stands for: that which a program has had for the same account. */
export const keptKey = ({ slug, key }: AuthGrant, known: readonly AuthGrant[]): string =>
  key === HIDDEN ? (known.find((grant) => grant.slug === slug)?.key ?? key) : key;

/** Replaces masked keys of a program by those that it has had for the same account. */
export function keepKeys(code: string, stored: string): string {
  const known = authGrants(stored);
  return mapKeys(code, (grant) => {
    const key = keptKey(grant, known);
    // Several keys for one account come back in their order.
    if (grant.key === HIDDEN) rotate(known, grant.slug);
    return key;
  });
}

function rotate(grants: AuthGrant[], slug: string): void {
  const first = grants.findIndex((grant) => grant.slug === slug);
  grants.push(...grants.splice(first, first === -1 ? 0 : 1));
}

/** Tells why the keys of a program cannot be kept secret, or are not known; undefined where they can. */
export function authProblem(code: string): string | undefined {
  const calls = callsOf(code);
  if (calls.length > MAX_CALLS) return `must call AUTH at most ${MAX_CALLS} times`;
  if (calls.some(({ literal }) => !literal))
    return "must give AUTH an account and a key as two plain texts: AUTH('slug', 'key')";
  const unknown = calls.find(({ literal }) => literal?.key === HIDDEN)?.literal;
  return unknown && `has ${HIDDEN} for the key of AUTH('${unknown.slug}'), and none is known`;
}
