/** Detects the kind of a file from its bytes: names and content types are only claims of the sender. */
import { imageKinds, uploadKinds, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { pictureSize } from '../kernel/files/picture-size.ts'

/** Bytes checked at the start: a photograph's size comes after the camera's metadata. */
export const headBytes = 65_536
/** Limits of a picture's side and area in pixels: beyond them a few kilobytes would unpack into gigabytes. */
const sideMax = 20_000
const pixelsMax = 100_000_000
/** Bytes of a text that are compared with the signatures of other kinds. */
const textHeadBytes = 4_096

/** Returns the reason a file with these first bytes is not accepted as this kind, or null. `head` holds at most the first 65,536 bytes. */
export function headFault(kind: UploadKind, head: Buffer): string | null {
  if (!looksLike(kind, head)) return `The file is no ${uploadKinds[kind].label}.`
  // A photograph whose size comes after the head is accepted.
  const size = imageKinds.includes(kind) ? pictureSize(head) : null
  return size === null ? null : sizeFault(size)
}

function looksLike(kind: UploadKind, head: Buffer): boolean {
  switch (kind) {
    case 'pdf':
      return head.subarray(0, 5).toString('latin1') === '%PDF-'
    case 'png':
      return isPng(head)
    case 'jpeg':
      return startsWith(head, [0xff, 0xd8, 0xff])
    case 'gif':
      return head.length >= 10 && /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1'))
    case 'webp':
      return head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP'
    case 'tiff':
      return startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])
    case 'text':
      return isPlainText(head.subarray(0, textHeadBytes))
    case 'xlsx':
    case 'docx':
      return startsWith(head, [0x50, 0x4b, 0x03, 0x04])
  }
}

function sizeFault({ width, height }: { width: number; height: number }): string | null {
  if (width === 0 || height === 0) return 'The picture has no pixels.'
  if (width <= sideMax && height <= sideMax && width * height <= pixelsMax) return null
  const size = `${width.toLocaleString('en')} by ${height.toLocaleString('en')}`
  return `The picture has too many pixels: ${size}. At most ${pixelsMax / 1_000_000} million are taken, and ${sideMax.toLocaleString('en')} a side.`
}

/** Returns the reason these bytes may not occur in a file of the kind, or null. */
export function mustNotHold(kind: UploadKind, bytes: Buffer): string | null {
  if (kind === 'pdf' && programWords.some((word) => bytes.includes(word))) return 'The file holds a program, which is not taken.'
  if (kind === 'text' && holdsControl(bytes)) return 'The file is no CSV or text.'
  return null
}
/** Words in a PDF that make a reader run code. */
const programWords = ['/JavaScript', '/Launch']
/** Bytes of a block to keep, so that a word across two blocks is found. */
export const wordOverlap = 16

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, at) => head[at] === byte)
}

function isPng(head: Buffer): boolean {
  return (
    startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) &&
    head.length >= 24 &&
    head.subarray(12, 16).toString('latin1') === 'IHDR'
  )
}

/** Accepts nothing that a browser would take for a page, and no other kind that begins with letters. */
function isPlainText(head: Buffer): boolean {
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  return !holdsControl(head) && !/^(\s*<|%PDF-|GIF8[79]a|RIFF.{4}WEBP)/s.test(text)
}

/** Whether there are control characters other than line ends and tabs. */
function holdsControl(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) return true
  return false
}
