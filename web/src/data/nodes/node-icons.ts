import { shortClass } from './classes.ts';

/** Names the sign of a node's class. */
export function iconOf(name: string): 'cube' | 'folder' | 'place' | 'source' | 'number' | 'boards' | 'file' | 'copy' {
  if (/\.source\./.test(name)) return 'source';
  if (/\.point\.|\.chart\./.test(name)) return 'number';
  switch (shortClass(name)) {
    case 'Workspace':
      return 'cube';
    case 'Location':
      return 'place';
    case 'Dashboard':
      return 'boards';
    case 'Templates':
      return 'copy';
    case 'Group':
      return 'folder';
    default:
      return 'file';
  }
}
