/** Names a browser in a few words that are the same in every language; empty: nothing is known of it. */
export function browserName(agent: string): string {
  const browser = [
    ['Edge', /\bEdg(?:e|A|iOS)?\//],
    ['Opera', /\bOPR\//],
    ['Firefox', /\b(?:Firefox|FxiOS)\//],
    ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
    ['Safari', /\bSafari\//],
  ] as const;
  const system = [
    ['Android', /Android/],
    ['iOS', /iPhone|iPad|iPod/],
    ['Windows', /Windows/],
    ['macOS', /Mac OS X|Macintosh/],
    ['Linux', /Linux|X11/],
  ] as const;
  const found = [browser, system].flatMap((list) => list.find(([, test]) => test.test(agent))?.[0] ?? []);
  return found.join(' · ');
}
