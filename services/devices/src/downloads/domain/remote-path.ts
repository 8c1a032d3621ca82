/** Below the folder of a source, how deep files are looked for, and in how many folders. */
export const DEPTH_MAX = 8;
export const FOLDERS_MAX = 1_000;
/** Longer ones than any file system and S3 have. */
const NAME_MAX = 1_024;

/** Returns whether a name in a listing can only be an entry of the folder that was listed. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name.length <= NAME_MAX && name !== '.' && name !== '..' && !/[/\\\0\r\n]/.test(name);

/** @param folder empty: the one that a login leads to */
export const pathIn = (folder: string, name: string): string =>
  folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`;

/** Returns host and port for people: an address of IPv6 stands in brackets. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
