import { keepPlaces, leavePlace, takePlace } from './store/pg-places.ts';

export { attachmentsClient } from './clients/attachments-client.ts';
export { type OpenUploads, openUploads } from './transport/open-uploads.ts';
export { pushHandlers } from './transport/push-handlers.ts';
export { uploadSettings } from './transport/upload-settings.ts';
export { UploadAdmission } from './usecases/admit-upload.ts';
export { attachFile } from './usecases/attach-file.ts';
export type { PlaceStored } from './usecases/ports.ts';

export const placeStatements = { takePlace, keepPlaces, leavePlace };
