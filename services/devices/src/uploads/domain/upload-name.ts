const NAME_CHARACTERS = 255;

/** Returns the name of a file without its folders; undefined: it has none that could be kept. */
export function baseName(path: string): string | undefined {
  const name = (path.split(/[/\\]/).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '').trim();
  return name === '' || name === '.' || name === '..' ? undefined : name.slice(0, NAME_CHARACTERS);
}

/** Returns a path in the folders that a client believes in, from the root. */
export function absolutePath(folder: string, path: string): string {
  const steps: string[] = [];
  for (const step of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}

/** Clients give a file another name when all of it is there. */
export const isTemporary = (name: string): boolean =>
  /^[.~#]|[~#]$|\.(?:tmp|temp|part|partial|filepart|upload|uploading|new|in|incomplete|\$\$\$|!ut)$/i.test(name);
