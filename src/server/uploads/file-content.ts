/** What bytes are, by themselves: names and content types are what a sender says. */
import type { UploadKind } from '#contract/upload.ts'

/** Bytes at the start that are looked at. */
export const headBytes = 4_096
/** Pixels of a picture's side, and in all: beyond this a few kilobytes would unpack into gigabytes. */
const sideMax = 20_000
const pixelsMax = 100_000_000

/** Says whether the first bytes of a file are of this kind. `head` holds at most the first 4,096 bytes. */
export function looksLike(kind: UploadKind, head: Buffer): boolean {
  switch (kind) {
    case 'pdf':
      return head.subarray(0, 5).toString('latin1') === '%PDF-'
    case 'png':
      return isSmallPng(head)
    case 'jpeg':
      return startsWith(head, [0xff, 0xd8, 0xff])
    case 'gif':
      return /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1'))
    case 'webp':
      return head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP'
    case 'tiff':
      return startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])
    case 'text':
      return isPlainText(head)
    case 'xlsx':
      return startsWith(head, [0x50, 0x4b, 0x03, 0x04]) && /^(\[Content_Types\]\.xml|_rels\/|xl\/|docProps\/)/.test(firstZipName(head))
  }
}

/** Words in a PDF that make a reader run something. The last bytes of one block and the first of the next are searched together. */
export function runsSomething(kind: UploadKind, bytes: Buffer): boolean {
  return kind === 'pdf' && /\/(JavaScript|Launch)\b/.test(bytes.toString('latin1'))
}
/** How many bytes of a block must be kept so that no such word is cut in two. */
export const wordOverlap = 16

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, at) => head[at] === byte)
}

function isSmallPng(head: Buffer): boolean {
  if (
    !startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) ||
    head.length < 24 ||
    head.subarray(12, 16).toString('latin1') !== 'IHDR'
  )
    return false
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  return width > 0 && height > 0 && width <= sideMax && height <= sideMax && width * height <= pixelsMax
}

/** No control characters but line ends and tabs, nothing that a browser would take for a page, and no other kind that begins with letters. */
function isPlainText(head: Buffer): boolean {
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  const isControl = (byte: number): boolean => byte < 0x20 && (byte < 0x09 || byte > 0x0d)
  return !head.some(isControl) && !/^(\s*<|%PDF-|GIF8[79]a|RIFF.{4}WEBP)/s.test(text)
}

function firstZipName(head: Buffer): string {
  if (head.length < 30) return ''
  return head.subarray(30, 30 + head.readUInt16LE(26)).toString('latin1')
}
