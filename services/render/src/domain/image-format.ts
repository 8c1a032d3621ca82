/** What a chart can be; PDF is not among them. */
export const IMAGE_FORMATS = ['PNG', 'JPG', 'SVG'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<ImageFormat, string>> = {
  PNG: 'image/png',
  JPG: 'image/jpeg',
  SVG: 'image/svg+xml',
};
