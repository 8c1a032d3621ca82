import { say } from './words.ts';

/** Names a right; one that this version does not know is shown as it is. */
export const rightText = (right: string): string => {
  const { rights } = say();
  return Object.hasOwn(rights, right) ? rights[right as keyof typeof rights] : right;
};
