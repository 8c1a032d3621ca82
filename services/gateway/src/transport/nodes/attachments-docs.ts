import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { FILE_LINK, NODE_READ } from '@catchment/query';
import { NODE } from '../openapi/node-schemas.ts';
import { json, operation, RANGE_FAILURE, UNCHANGED } from '../openapi/parts.ts';

const tag = 'Nodes';
const { name, description } = API_SCHEMAS.nodeAttributes;

export const uploadAttachment = operation({
  id: 'uploadAttachment',
  tag,
  summary: 'Upload a file as an attachment',
  description:
    'Makes a node of class `Attachment` below a Workspace, Group, Location or attachment source. The body is a form with one file of at most 100 MiB, streamed; 413 beyond. `mimeType` comes from the bytes, then from the name of the file. An attachment source takes files of its `fileTypes` and keeps the newest `maxAttachments`.',
  withId: true,
  query: NODE_READ,
  consumes: 'multipart/form-data',
  body: {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file, with its name.' },
      name: { ...name, description: 'Of the node. Default: the name of the file, made unique.' },
      description,
    },
  },
  success: json(201, 'The new node.', NODE),
  extension: true,
});

function file(id: string, summary: string, type: string) {
  const bytes = { [type]: { schema: { type: 'string' } } };
  return operation({
    id,
    tag,
    summary,
    description:
      'The link that a node shows; nothing else opens it, and no key is needed. Parts by `Range` (206, 416), `ETag`. 403 when it has expired or was changed, 404 when the node is gone.',
    withId: 'The `_id` of the attachment.',
    query: FILE_LINK,
    success: { status: 200, description: 'The bytes.', content: bytes },
    others: {
      ...UNCHANGED,
      206: {
        description: 'The part that `Range` asks for.',
        content: bytes,
        headers: { 'Content-Range': { type: 'string', description: 'Which part, and of how many bytes.' } },
      },
      ...RANGE_FAILURE,
    },
    security: [],
  });
}

export const getFile = file('getFile', 'Get the file of an attachment: its fileUrl', '*/*');
export const getPreview = file('getPreview', 'Get the preview of an attachment: its filePreviewUrl', 'image/jpeg');
