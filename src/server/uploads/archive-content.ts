/**
 * Checks office files, which are zip archives, without unpacking: the central directory at the end states their contents and unpacked size, so
 * that a bomb is refused without unpacking a byte.
 */
import type { UploadKind } from '#contract/uploads/upload-kinds.ts'

/** Bytes kept of the end: the central directory of an ordinary workbook takes a few kilobytes. */
export const archiveTailBytes = 262_144
/** Limits of the unpacked size: total bytes, and the ratio to the file's size. */
const unpackedMax = 400 * 1024 * 1024
const ratioMax = 200
/** Below this size any ratio is allowed: an empty sheet compresses well. */
const ratioCountsFrom = 10 * 1024 * 1024

const endMark = 0x06054b50
const entryMark = 0x02014b50
/** Placeholder of a field whose value does not fit: an archive of more than 4 GB, which no upload is. */
const beyond32 = 0xff_ff_ff_ff

/** An office file holds a few files for each sheet or page. */
const filesMax = 10_000

/** Returns the fault of the archive in words, or null. `tail` holds the last bytes of the file, whose length is `size`. */
export function archiveFault(kind: UploadKind, tail: Buffer, size: number): string | null {
  const entries = entriesOf(tail, size)
  if (!entries) return 'The file’s contents cannot be read.'
  if (entries.length > filesMax) return 'The file holds far too many files.'
  const wanted = kind === 'docx' ? 'word/document.xml' : 'xl/workbook.xml'
  if (!entries.some(({ name }) => name === wanted)) return `The file is no ${kind.toUpperCase()}.`
  if (entries.some(({ name }) => /vbaProject\.bin$|\.(exe|dll|js|vbs|bat|scr)$/i.test(name)))
    return 'The file holds a program, which is not taken.'
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (unpacked > unpackedMax || (unpacked > ratioCountsFrom && unpacked > size * ratioMax)) return 'The file would unpack to far too much.'
  return null
}

interface Entry {
  readonly name: string
  readonly unpacked: number
}

/** Returns null if the directory is incomplete, or larger than an ordinary one. */
function entriesOf(tail: Buffer, size: number): Entry[] | null {
  const end = lastMark(tail)
  if (end < 0) return null
  const count = tail.readUInt16LE(end + 10)
  const length = tail.readUInt32LE(end + 12)
  const from = tail.readUInt32LE(end + 16) - (size - tail.length)
  if (from < 0 || from + length > end) return null
  const entries: Entry[] = []
  for (let at = from; at < from + length;) {
    if (at + 46 > end || tail.readUInt32LE(at) !== entryMark) return null
    const unpacked = tail.readUInt32LE(at + 24)
    if (unpacked === beyond32) return null
    const nameLength = tail.readUInt16LE(at + 28)
    entries.push({ name: tail.subarray(at + 46, at + 46 + nameLength).toString('utf8'), unpacked })
    at += 46 + nameLength + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  return entries.length === count ? entries : null
}

/** Returns the position of the end record; a comment of up to 65,535 bytes may follow it. */
function lastMark(tail: Buffer): number {
  for (let at = tail.length - 22; at >= Math.max(0, tail.length - 65_557); at--) if (tail.readUInt32LE(at) === endMark) return at
  return -1
}
