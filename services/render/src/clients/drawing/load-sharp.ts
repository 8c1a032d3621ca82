/** sharp, loaded on first need, after the fonts have been named to it. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Every picture is new: a cache would only hold memory. Workers give the parallelism.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
