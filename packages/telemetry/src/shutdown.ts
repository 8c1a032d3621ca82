/** Sends the spans that are still buffered; nothing to do while tracing is off. */
export async function shutdownTracing(): Promise<void> {
  const { catchmentTracing } = globalThis as { catchmentTracing?: { shutdown(): Promise<void> } };
  await catchmentTracing?.shutdown();
}
