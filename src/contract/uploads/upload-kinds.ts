/** The files that may be uploaded: their kinds and sizes. */

/** Maximum bytes of one upload. */
export const uploadBytesMax = 25 * 1024 * 1024
/** Maximum length of a file's name. */
export const filenameLengthMax = 255

/** The kinds that may be uploaded, with their content types and file name extensions. Nothing that a browser would run is among them. */
export const uploadKinds = {
  pdf: { label: 'PDF', types: ['application/pdf'], endings: ['pdf'] },
  png: { label: 'PNG', types: ['image/png'], endings: ['png'] },
  jpeg: { label: 'JPEG', types: ['image/jpeg', 'image/pjpeg'], endings: ['jpg', 'jpeg', 'jpe'] },
  webp: { label: 'WebP', types: ['image/webp'], endings: ['webp'] },
  gif: { label: 'GIF', types: ['image/gif'], endings: ['gif'] },
  tiff: { label: 'TIFF', types: ['image/tiff'], endings: ['tif', 'tiff'] },
  text: {
    label: 'CSV or text',
    types: ['text/csv', 'text/plain', 'application/csv', 'application/vnd.ms-excel'],
    endings: ['csv', 'txt', 'tsv'],
  },
  xlsx: { label: 'XLSX', types: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'], endings: ['xlsx'] },
  docx: { label: 'DOCX', types: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'], endings: ['docx'] },
} as const
export type UploadKind = keyof typeof uploadKinds
export const uploadKindNames = ['pdf', 'png', 'jpeg', 'webp', 'gif', 'tiff', 'text', 'xlsx', 'docx'] as const
export const imageKinds: readonly UploadKind[] = ['png', 'jpeg', 'webp', 'gif']

/** Types that a browser sends for an unknown file: then the extension decides, and the bytes are checked anyway. */
const unknownTypes = ['', 'application/octet-stream']

/** Returns the kind of a file by its name and content type; null if they disagree or are not allowed. Browsers on Windows send CSV as Excel. */
export function uploadKindOf(filename: string, contentType: string): UploadKind | null {
  const ending = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isAny = (list: readonly string[], value: string) => list.includes(value)
  const isType = (kind: UploadKind) => isAny(uploadKinds[kind].types, type) || unknownTypes.includes(type)
  return uploadKindNames.find((kind) => isType(kind) && isAny(uploadKinds[kind].endings, ending)) ?? null
}

/** The `accept` attribute of a file field: '.pdf,.png'. */
export function acceptOf(kinds: readonly UploadKind[]): string {
  return kinds.flatMap((kind) => uploadKinds[kind].endings.map((ending) => `.${ending}`)).join(',')
}
