import type { CallHead, Failure } from '@catchment/contracts/common';

/**
 * Calls that share a stream. A method of this shape carries a service's small calls: each message has some of them, `$case` is the name
 * of the call, and every one has its own caller, request id, trace, deadline, answer and error.
 */
export type StreamedCall = {
  readonly id: number;
  readonly head: CallHead | undefined;
  readonly request: { readonly $case: string; readonly value: unknown } | undefined;
};
export type Outcome<Value = unknown> = {
  readonly id: number;
  readonly result: { $case: 'response'; value: Value } | { $case: 'failure'; value: Failure } | undefined;
};
export type CallsMessage<Call = StreamedCall> = { readonly calls: readonly Call[] };
export type OutcomesMessage<Value = unknown> = { readonly outcomes: readonly Outcome<Value>[] };
