/** Gives a file that was made here to the browser. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  saveAddress(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** Gives what an address answers to the browser, which keeps it as a file while it comes. */
export function saveAddress(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Returns a name that every system takes for a file's. */
export const fileName = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 100) || 'catchment';
