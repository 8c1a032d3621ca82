import { DiscardPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type Naming, OBJECT_STREAM, objectBucket, streamName, subjectName } from './naming.ts';
import { STREAMS, type StreamName, type StreamShape, subjectsOfStream } from './streams.ts';

/** Test streams are many and small. */
const PREFIXED_MAX_BYTES = 32 * 1024 * 1024;
const DUPLICATE_WINDOW_MS = 120_000;

export type TopologyOptions = Naming & {
  readonly partitions: number;
  readonly replicas: number;
  /**
   * These streams have other limits than usual. Absent: limits of streams that exist stay as they are, so that one service alone decides
   * them.
   */
  readonly maxBytes?: Partial<Record<StreamName, number>>;
};

/** Returns every stream as an installation has it, object stores apart. */
export const streamConfigs = (options: TopologyOptions): [StreamName, Expected][] =>
  (Object.entries(STREAMS) as [StreamName, StreamShape][]).map(([name, shape]) => [
    name,
    {
      name: streamName(options, name),
      subjects: subjectsOfStream(name, options.partitions).map((subject) => subjectName(options, subject)),
      retention: shape.retention,
      discard: shape.discard,
      storage: StorageType.File,
      num_replicas: options.replicas,
      max_bytes: options.maxBytes?.[name] ?? (options.prefix ? PREFIXED_MAX_BYTES : shape.maxBytes),
      max_age: nanos(shape.maxAgeMs ?? 0),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
  ]);
type Expected = Pick<StreamConfig, 'name' | 'subjects' | 'num_replicas' | 'max_bytes'> & Partial<StreamConfig>;

/** Configures a stream as the object store of NATS wants it; files are never dropped to make room for others. */
export function bucketConfig(options: Naming & { replicas: number }) {
  const bucket = objectBucket(options);
  return {
    name: OBJECT_STREAM + bucket,
    subjects: [`$O.${bucket}.C.>`, `$O.${bucket}.M.>`],
    discard: DiscardPolicy.New,
    storage: StorageType.File,
    num_replicas: options.replicas,
    allow_direct: true,
    allow_rollup_hdrs: true,
    max_bytes: -1,
  };
}
