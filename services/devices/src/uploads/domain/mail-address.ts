const PREFIX = 'upload+';

/** The push key in an address `upload+<key>@<mail domain>`; undefined: the address is no source's here. */
export function keyOfAddress(address: string, mailDomain: string): string | undefined {
  const lower = address.toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 0 || lower.slice(at + 1) !== mailDomain.toLowerCase() || !lower.startsWith(PREFIX)) return undefined;
  const key = lower.slice(PREFIX.length, at);
  return /^[a-z0-9-]{1,100}$/.test(key) ? key : undefined;
}

/** Returns whether a filter takes mails of a sender: the address, or `@` and a domain; without a filter anybody's. */
export function takesSender(filter: string | undefined, sender: string): boolean {
  if (filter === undefined || filter === '') return true;
  const [wanted, given] = [filter.toLowerCase(), sender.toLowerCase()];
  return wanted.startsWith('@') ? given.endsWith(wanted) : given === wanted;
}
