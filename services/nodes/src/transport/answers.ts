import { serviceCaller } from '@catchment/access';
import type { Document } from '@catchment/contracts/common';
import type { CallContext } from '@catchment/grpc';

type Handler = (request: unknown, context: CallContext) => Promise<unknown>;

/** Handlers that our own services alone may call; others get permission_denied. */
export function forServices<H extends object>(handlers: H): H {
  const checked = Object.entries(handlers as Record<string, Handler>).map(([method, handler]) => {
    const handle: Handler = async (request, context) => {
      serviceCaller(context.caller);
      return handler(request, context);
    };
    return [method, handle];
  });
  return Object.fromEntries(checked) as H;
}

/** Returns the empty answer of a call that is done. */
export const done = (work: Promise<unknown>): Promise<Record<never, never>> => work.then(() => ({}));

export const document = async (whole: object | Promise<object>): Promise<Document> => ({
  json: Buffer.from(JSON.stringify(await whole)),
});
