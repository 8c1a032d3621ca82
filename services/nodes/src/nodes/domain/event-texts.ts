export const createdMessage = (name: string): string => `Created node '${name}'`;
export const movedMessage = (from: string, to: string): string => `Move node '${from}' to '${to}'`;
export const deletedMessage = (name: string): string => `Deleted node '${name}'`;

/** Returns texts of an update: a rename, a source switched on or off, and one line for everything else. */
export function updateMessages(
  changed: readonly string[],
  before: { readonly name: string },
  after: { readonly name: string; readonly isEnabled: boolean },
): string[] {
  const messages: string[] = [];
  if (changed.includes('name')) messages.push(`Rename node '${before.name}' to '${after.name}'`);
  if (changed.includes('isEnabled')) messages.push(after.isEnabled ? 'Source enabled' : 'Source disabled');
  const others = changed.filter((name) => name !== 'name' && name !== 'isEnabled');
  if (others.length > 0) messages.push(`Updated ${others.join(', ')}`);
  return messages;
}
