import { useEffect, useRef, useState } from 'preact/hooks';
import { type Attachment, type FilesOf, listAttachments } from '../../../data/nodes/attachments.ts';
import { onNodes } from '../../../data/streams/live.ts';

const PAGE = 100;
/** Several uploads end together. */
const AFTER_NEWS_MS = 400;
/** Links that do not open any more are asked for once in this time. */
const RENEWED_EACH_MS = 60_000;

type State = {
  readonly files: readonly Attachment[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error?: unknown;
};
const EMPTY: State = { files: [], hasMore: false, isLoading: true };

export type Attachments = State & {
  readonly more: () => void;
  readonly again: () => void;
  /** A link has not opened. */
  readonly renew: () => void;
};

/** Holds files of a node, the newest first, a page at a time, kept current. */
export function useAttachments(of: FilesOf): Attachments {
  const parentId = of.node._id;
  const [state, setState] = useState<State>(EMPTY);
  const wanted = useRef(PAGE);
  const known = useRef<ReadonlyMap<string, Attachment>>(new Map());
  const renewed = useRef({ ms: Date.now(), isAsked: false });
  const read = useRef<() => void>(() => {});
  known.current = new Map(state.files.map((file) => [file._id, file]));

  useEffect(() => {
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    wanted.current = PAGE;
    setState(EMPTY);
    read.current = () => {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      const limit = wanted.current;
      setState((before) => ({ ...before, isLoading: true }));
      listAttachments(of, { skip: 0, limit: limit + 1 }, signal).then(
        (all) => {
          if (signal.aborted) return;
          const before = renewed.current.isAsked ? undefined : known.current;
          renewed.current.isAsked = false;
          setState({
            files: all.slice(0, limit).map((file) => withLinks(file, before?.get(file._id))),
            hasMore: all.length > limit,
            isLoading: false,
          });
        },
        (error: unknown) => {
          if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
        },
      );
    };
    read.current();
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => read.current(), AFTER_NEWS_MS);
    };
    const still = onNodes((news) => {
      const id = news.kind === 'reset' ? undefined : news.kind === 'node' ? news.node._id : news.id;
      const isOurs =
        news.kind === 'node' &&
        (news.node.parentId === parentId || (of.isDeep && news.node._class?.endsWith('.Attachment') === true));
      if (news.kind === 'reset' || isOurs || (id !== undefined && known.current.has(id))) soon();
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
      still();
    };
  }, [parentId, of.isDeep]);

  return {
    ...state,
    more: () => {
      wanted.current += PAGE;
      read.current();
    },
    again: () => read.current(),
    renew: () => {
      if (Date.now() - renewed.current.ms < RENEWED_EACH_MS) return;
      renewed.current = { ms: Date.now(), isAsked: true };
      read.current();
    },
  };
}

/** Bytes of a file never change: a link that is known shows what the browser has already. */
const withLinks = (attachment: Attachment, before: Attachment | undefined): Attachment =>
  before?.fileUrl === undefined || attachment.fileUrl === undefined
    ? attachment
    : {
        ...attachment,
        fileUrl: before.fileUrl,
        ...(before.filePreviewUrl !== undefined && { filePreviewUrl: before.filePreviewUrl }),
      };
