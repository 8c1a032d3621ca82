/**
 * Prints every step as a line with the seconds since the start, which several processes report. @param isAside standard
 * output is for something else
 */
export function progressLine(beganMs: number, isAside = false): (line: string) => void {
  const print = isAside ? console.error : console.log;
  return (line) => print(`${((Date.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}
