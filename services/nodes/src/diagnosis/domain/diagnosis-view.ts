import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import type { Diagnosis } from './diagnose.ts';
import type { SourceFacts } from './facts.ts';
import { adviceSentence, stateSentence } from './sentences.ts';

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : formatIsoMs(ms));
const secondsOf = (ms: number): number => Math.round(ms / 1_000);

/** The answer of GET /nodes/:id/diagnosis. */
export function diagnosisView(source: SourceFacts, of: Diagnosis, nowMs: number): JsonObject {
  const { lastContact, usual, silentMs, lastFile, clock, lastError, device, peers } = of;
  return {
    nodeId: source.nodeId,
    name: source.name,
    time: formatIsoMs(nowMs),
    state: { code: of.state, isSilent: of.isSilent, sentence: stateSentence(of) },
    lastContact: lastContact ? { time: formatIsoMs(lastContact.timeMs), way: lastContact.way } : null,
    contacts: of.contacts.map(formatIsoMs),
    usualInterval: usual ? { seconds: secondsOf(usual.ms), from: usual.from } : null,
    silentSeconds: silentMs === undefined ? null : secondsOf(silentMs),
    lastRecordTime: timeOf(of.lastRecordMs),
    lastFile: lastFile ? fileView(lastFile) : null,
    nextTry: timeOf(of.nextMs),
    clock: clock ? { aheadSeconds: secondsOf(clock.aheadMs), from: clock.from } : null,
    lastError: lastError
      ? { code: lastError.code, message: lastError.message, time: formatIsoMs(lastError.timeMs) }
      : null,
    device: device
      ? { _id: device.deviceId, isConnected: device.isConnected, lastConnectedTime: timeOf(device.lastConnectedMs) }
      : null,
    peers: peers
      ? {
          by: peers.by,
          total: peers.total,
          silent: peers.silent,
          hasMore: peers.hasMore,
          named: peers.named.map(({ nodeId, name, lastSuccessMs }) => ({
            nodeId,
            name,
            lastTime: timeOf(lastSuccessMs),
          })),
        }
      : null,
    advice: of.advice.map((code) => ({ code, sentence: adviceSentence(code) })),
    unknown: of.unknown,
  };
}

const fileView = ({ fileName, timeMs, sizeBytes, report, reason, message }: NonNullable<Diagnosis['lastFile']>) => ({
  name: fileName,
  time: formatIsoMs(timeMs),
  sizeBytes,
  lines: report?.lines ?? 0,
  parsed: report?.parsed ?? 0,
  records: report?.records ?? 0,
  unreadableFields: report?.unreadableFields ?? 0,
  firstError: report ? report.firstFailure || null : message,
  refusal: report ? null : reason,
});
