type Task = () => void;

const waiting = new Set<Task>();
let isRunning = false;

/**
 * Runs tasks in turn, each in a task of the browser of its own, so that a slow processor answers to people in between.
 * @returns what takes it back
 */
export function oneByOne(task: Task): () => void {
  waiting.add(task);
  if (!isRunning) {
    isRunning = true;
    setTimeout(runNext);
  }
  return () => waiting.delete(task);
}

function runNext(): void {
  const [task] = waiting;
  if (task === undefined) {
    isRunning = false;
    return;
  }
  waiting.delete(task);
  // The next one is planned before the task, so that a task that fails holds up none of the others.
  setTimeout(runNext);
  task();
}
