import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { accessProblem } from './problem-text.ts';

/** Does something at once, says so, and offers to take it back where that can be done. @returns whether it was done */
export async function act(work: () => Promise<unknown>, said: string, undo?: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    toast(accessProblem(error), { isBad: true });
    return false;
  }
  const { ui } = words.value;
  const back = async () => {
    await undo?.().catch((error) => toast(accessProblem(error), { isBad: true }));
  };
  toast(said, undo ? { action: { label: ui.undo, run: back } } : {});
  return true;
}
