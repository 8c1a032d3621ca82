/** Every step as a line with the seconds since the start, which several processes tell. */
export function progressLine(beganMs: number): (line: string) => void {
  return (line) => console.log(`${((Date.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}
