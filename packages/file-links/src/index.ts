export { FileLinks, type FileVariant } from './file-links.ts';
