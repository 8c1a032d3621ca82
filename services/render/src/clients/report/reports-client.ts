import type { LoadReportResponse, ReportsServiceService } from '@catchment/contracts/nodes';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { LoadedReport, NodeObject, ReportNodes } from '../../usecases/report-ports.ts';
import { callOptions } from '../call-options.ts';

/** Reports from the nodes service, seen with the caller's own rights; events about them are ours. */
export function reportsClient(
  reports: Pick<GrpcClient<ReportsServiceService>, 'loadReport' | 'warnOfReport'>,
  signer: CallerSigner,
): ReportNodes {
  return {
    async load({ nodeRef, nowMs, timezone, adjustForDst, draft }, call) {
      const body = draft && { draft: Buffer.from(draft) };
      const asked = { nodeRef, nowMs, timezone, timezoneAdjustForDst: adjustForDst, ...body };
      return reportOf(await reports.loadReport(asked, callOptions(call)));
    },
    async warn({ ownerId, nodeId }, problem, call) {
      const token = await signer.sign({ kind: 'service', service: 'render' });
      await reports.warnOfReport({ ownerId, nodeId, problem }, { ...callOptions(call), token });
    },
  };
}

function reportOf(loaded: LoadReportResponse): LoadedReport {
  const { nodeId, ownerId, name, accountName, timezone, timezoneAdjustForDst, template, links, pictures } = loaded;
  return {
    nodeId,
    ownerId,
    name,
    accountName,
    timezone,
    adjustForDst: timezoneAdjustForDst,
    template: JSON.parse(template.toString()),
    above: {
      THIS: objectOf(loaded.this),
      SOURCE: objectOf(loaded.source),
      LOCATION: objectOf(loaded.location),
      WORKSPACE: objectOf(loaded.workspace),
    },
    links: links.map((link) => ({ ...link, object: objectOf(link.object) ?? {} })),
    pictures: new Map(pictures.map(({ reference, pictureNodeId }) => [reference, pictureNodeId])),
  };
}

const objectOf = (json: Buffer): NodeObject | null => (json.length === 0 ? null : JSON.parse(json.toString()));
