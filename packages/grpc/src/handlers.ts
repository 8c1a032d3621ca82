import type { Caller } from '@catchment/access';
import type { Logger } from '@catchment/telemetry';

/** A handler gets this context of a call, besides the request. */
export type CallContext = {
  readonly caller: Caller;
  /** The caller's signed context, to be handed on by calls made on the caller's behalf. */
  readonly token: string;
  /** Aborted when the caller left or the deadline passed. */
  readonly signal: AbortSignal;
  /** Unix ms; Infinity without one. */
  readonly deadlineMs: number;
  readonly log: Logger;
};

export type UnaryHandler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;
export type StreamHandler<Request, Response> = (request: Request, context: CallContext) => AsyncIterable<Response>;

/** The handlers of a service follow the shape of its definition. A method that carries calls (call-stream.ts) has none of its own. */
export type Handlers<Definition> = {
  [Method in keyof Definition as Definition[Method] extends { requestStream: true }
    ? never
    : Method]: Definition[Method] extends {
    responseStream: true;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? StreamHandler<Request, Response>
    : Definition[Method] extends {
          requestDeserialize: (bytes: Buffer) => infer Request;
          responseDeserialize: (bytes: Buffer) => infer Response;
        }
      ? UnaryHandler<Request, Response>
      : never;
};
