/** What bytes are, by themselves: names and content types are what a sender says. */
import type { UploadKind } from '#contract/upload.ts'

/** Bytes at the start that are looked at: a photograph's size stands behind what the camera wrote. */
export const headBytes = 65_536
/** Pixels of a picture's side, and in all: beyond this a few kilobytes would unpack into gigabytes. */
const sideMax = 20_000
const pixelsMax = 100_000_000
/** Bytes of a text that are held against the beginnings of other kinds. */
const textHeadBytes = 4_096

/** Says whether the first bytes of a file are of this kind. `head` holds at most the first 65,536 bytes. */
export function looksLike(kind: UploadKind, head: Buffer): boolean {
  switch (kind) {
    case 'pdf':
      return head.subarray(0, 5).toString('latin1') === '%PDF-'
    case 'png':
      return isPng(head) && isShowable(head.readUInt32BE(16), head.readUInt32BE(20))
    case 'jpeg':
      return startsWith(head, [0xff, 0xd8, 0xff]) && isShowableJpeg(head)
    case 'gif':
      return (
        head.length >= 10 &&
        /^GIF8[79]a$/.test(head.subarray(0, 6).toString('latin1')) &&
        isShowable(head.readUInt16LE(6), head.readUInt16LE(8))
      )
    case 'webp':
      return head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP' && isShowableWebp(head)
    case 'tiff':
      return startsWith(head, [0x49, 0x49, 0x2a, 0x00]) || startsWith(head, [0x4d, 0x4d, 0x00, 0x2a])
    case 'text':
      return isPlainText(head.subarray(0, textHeadBytes))
    case 'xlsx':
    case 'docx':
      return startsWith(head, [0x50, 0x4b, 0x03, 0x04])
  }
}

/** Why these bytes may stand nowhere in a file of the kind, null where they may. */
export function mustNotHold(kind: UploadKind, bytes: Buffer): string | null {
  if (kind === 'pdf' && programWords.some((word) => bytes.includes(word))) return 'The file holds a program, which is not taken.'
  if (kind === 'text' && holdsControl(bytes)) return 'The file is no CSV or text.'
  return null
}
/** Words in a PDF that make a reader run something. */
const programWords = ['/JavaScript', '/Launch']
/** How many bytes of a block must be kept so that no such word is cut in two. */
export const wordOverlap = 16

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, at) => head[at] === byte)
}

function isShowable(width: number, height: number): boolean {
  return width > 0 && height > 0 && width <= sideMax && height <= sideMax && width * height <= pixelsMax
}

function isPng(head: Buffer): boolean {
  return (
    startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) &&
    head.length >= 24 &&
    head.subarray(12, 16).toString('latin1') === 'IHDR'
  )
}

/** Walks from segment to segment to the frame, where width and height stand. One whose frame lies deeper than the head is let pass. */
function isShowableJpeg(head: Buffer): boolean {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return isShowable(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5))
  }
  return true
}

/** Simple pictures have at most 16,383 pixels a side; only the extended form can claim more. */
function isShowableWebp(head: Buffer): boolean {
  if (head.length < 30) return true
  const form = head.subarray(12, 16).toString('latin1')
  if (form === 'VP8X') return isShowable(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1)
  if (form === 'VP8 ') return isShowable(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff)
  if (form === 'VP8L') {
    const bits = head.readUInt32LE(21)
    return isShowable((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
  }
  return true
}

/** Nothing that a browser would take for a page, and no other kind that begins with letters. */
function isPlainText(head: Buffer): boolean {
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  return !holdsControl(head) && !/^(\s*<|%PDF-|GIF8[79]a|RIFF.{4}WEBP)/s.test(text)
}

/** Control characters but line ends and tabs. */
function holdsControl(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) return true
  return false
}
