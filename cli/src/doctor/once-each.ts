import type { Finding } from '@catchment/bus';

/** Reports a cause once: findings that say the same, and advise the same, are one about all that they are about. */
export function onceEach(findings: readonly Finding[]): Finding[] {
  const same = Map.groupBy(findings, (finding) =>
    finding.level === 'ok' ? finding : JSON.stringify([finding.level, finding.says, finding.advice]),
  );
  return [...same.values()].map((those) => {
    const about = [...new Set(those.map((finding) => finding.about))].join(', ');
    return { ...(those[0] as Finding), about };
  });
}
