import type { DeviceSource } from '../../registry/index.ts';
import type { Store } from './ports.ts';

/**
 * A Scout has confirmed its configuration, or refused it: that drives the configurationAlarm of its oldest source
 * (docs/reference/devices.md#configuration-of-a-scout).
 */
export async function settleConfig(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => number },
  answer: {
    readonly deviceId: string;
    readonly source: DeviceSource | undefined;
    readonly revision: number;
    /** Absent: it is in use. */
    readonly failure?: string;
  },
): Promise<void> {
  const { deviceId, source, revision, failure } = answer;
  await store.transaction(async (tx) => {
    if (failure === undefined) await tx.confirmConfig(deviceId, revision);
    if (!source) return;
    const attempt = { kind: 'CONFIGURATION' as const, nodeId: source.sourceId, failure: failure ?? '', timeMs: now() };
    await tx.reportOfSource(source, { attempts: [attempt] });
  });
}
