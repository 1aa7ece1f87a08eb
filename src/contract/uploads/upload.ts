/** Uploads and downloads: direct upload by the Active Storage protocol (G-DIRECT-UPLOAD), and signed downloads. */
import { fieldWords } from '../kernel/field-words.ts'
import { z } from 'zod'
import { call } from '../kernel/call.ts'
import { uploadBytesMax } from './upload-kinds.ts'

/** Refusals of uploads, alike for forms, direct uploads and imports. */
export const uploadRefusals = {
  empty: 'The file is empty.',
  invalid: 'The upload is not valid any more. Please choose the file again.',
  cut: 'The upload was cut off.',
  notStored: 'The file could not be stored. Please try again shortly.',
  addressOver: 'This upload address is over. Please choose the file again.',
  bytesAreHere: 'The bytes of this file are here already.',
} as const
/** Refuses a file of more bytes. */
export const tooManyBytes = (bytesMax: number): string => `The file has more than ${Math.floor(bytesMax / 1_048_576)} MB.`

/** A file inside a form (multipart). In the browser it is the `File` itself; on the server the received and checked file. */
export interface FormFile {
  readonly name: string
  readonly size: number
}

export function formFile(label: string): z.ZodType<FormFile> {
  return z
    .custom<FormFile>((value) => typeof value === 'object' && value !== null && 'name' in value && 'size' in value, {
      error: (issue) => (issue.input === undefined ? fieldWords.required(label) : `${label} must be a file`),
    })
    .meta({ type: 'string', format: 'binary' })
}

const tokenParam = z.object({ token: z.string().min(1).max(2_000) })

export const uploadCalls = {
  directUploadUrl: call({
    name: 'uploads.direct_upload_url',
    method: 'GET',
    path: '/direct_upload_url',
    may: 'signed_in',
    summary: 'Where to announce a file; the address itself proves who may',
    reply: z.object({ direct_upload_url: z.string() }),
  }),
  announce: call({
    name: 'uploads.announce',
    method: 'POST',
    path: '/direct_uploads/:token',
    may: 'signed_url',
    summary: 'Announces a file (checksum: base64 of its MD5) and answers where its bytes go',
    params: tokenParam,
    body: z.object({
      blob: z.object({
        filename: z.string({ error: 'File name is required' }).min(1, 'File name is required').max(2_000),
        content_type: z.string({ error: 'Content type is required' }).max(200),
        byte_size: z
          .int({ error: 'Size must be a whole number of bytes' })
          .min(1, 'The file is empty')
          .max(uploadBytesMax, 'The file has more than 25 MB'),
        checksum: z.string({ error: 'Checksum is required' }).regex(/^[A-Za-z0-9+/]{22}==$/, 'Checksum must be the base64 of an MD5'),
      }),
    }),
    reply: z.object({
      id: z.int(),
      filename: z.string(),
      content_type: z.string(),
      byte_size: z.int(),
      checksum: z.string(),
      signed_id: z.string(),
      direct_upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
    }),
  }),
  /** It opens its own short transaction once the bytes have arrived: a slow upload must not hold a connection. */
  bytes: call({
    name: 'uploads.bytes',
    method: 'PUT',
    path: '/uploads/:token',
    may: 'signed_url',
    summary: 'Takes the bytes of an announced file: 204',
    effect: 'read',
    params: tokenParam,
    bodyKind: 'bytes',
    replyKind: 'stream',
  }),
}

export const fileCalls = {
  download: call({
    name: 'files.download',
    method: 'GET',
    path: '/files/:token',
    may: 'signed_url',
    summary: 'The bytes of a file',
    params: tokenParam,
    replyKind: 'stream',
  }),
}
